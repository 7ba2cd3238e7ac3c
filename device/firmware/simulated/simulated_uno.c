/* An Arduino Uno in simavr that runs the built firmware in real time.
 * Copyright the fairdeal authors; licence AGPL-3.0-or-later (links libsimavr, GPL-3.0).
 *
 * usage: simulated_uno FIRMWARE.elf
 * Its first JSON line, {"port": …}, names the pseudo-terminal that is its serial port. After it,
 * whenever a pin changes, one more: {"at": s, "wire": s, "lamps": [4], "seats": [6], "own": 0|1,
 * "hertz": N}; `wire` is when the last burst of bytes began to come in. After a press has gone out
 * whole, {"pressed": s, "said": s}. All seconds are the simulated Uno's own.
 * Input: `press N`, `release N` (button 1 to 6), `reset`; ends with its input.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "avr_ioport.h"
#include "avr_uart.h"
#include "sim_avr.h"
#include "sim_elf.h"

enum { HERTZ = 16000000, SLICE = HERTZ / 5000 };

/* Data addresses of the ATmega328P (datasheet, register summary). */
enum { PORTB = 0x25, PORTC = 0x28, PORTD = 0x2B };
enum { TCCR0A = 0x44, OCR0A = 0x47, OCR0B = 0x48, TCCR1A = 0x80, OCR1AL = 0x88, OCR1BL = 0x8A };

/* The lamps' pins 5, 6, 9, 10: port and bit, timer mode register and bit, compare register. */
static const struct { int port, bit, mode, on, compare; } LAMPS[4] = {
    {PORTD, 5, TCCR0A, 5, OCR0B},
    {PORTD, 6, TCCR0A, 7, OCR0A},
    {PORTB, 1, TCCR1A, 7, OCR1AL},
    {PORTB, 2, TCCR1A, 5, OCR1BL},
};
static const struct { char port; int bit; } BUTTONS[6] = {
    {'D', 2}, {'D', 4}, {'D', 7}, {'B', 0}, {'B', 3}, {'B', 4},
};

static avr_t *avr;
static avr_irq_t *uart;
static int wire, may_send = 1;
static uint8_t waiting[4096];
static size_t waiting_from, waiting_to;
static avr_cycle_count_t edge_at, period, burst_at, byte_at, pressed_at;

static void feed(void) {
    if (waiting_from < waiting_to) {
        if (avr->cycle - byte_at > HERTZ / 500) burst_at = avr->cycle;
        byte_at = avr->cycle;
    }
    while (may_send && waiting_from < waiting_to)
        avr_raise_irq(uart + UART_IRQ_INPUT, waiting[waiting_from++]);
    if (waiting_from == waiting_to) waiting_from = waiting_to = 0;
}

static void on_byte(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    static int is_press;
    uint8_t byte = value;
    if (byte == 'K') is_press = 1;
    if (byte == '\n' && is_press) {
        is_press = 0;
        printf("{\"pressed\": %.4f, \"said\": %.4f}\n", (double)pressed_at / HERTZ,
               (double)avr->cycle / HERTZ);
        fflush(stdout);
    }
    /* Nobody listens: the byte is lost, as on a real wire. */
    if (write(wire, &byte, 1) < 0 && errno != EAGAIN && errno != EIO) perror("write");
}

static void on_xon(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)value, (void)param;
    may_send = 1;
    feed();
}

static void on_xoff(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)value, (void)param;
    may_send = 0;
}

static void on_buzzer(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    if (!value) return;
    period = edge_at ? avr->cycle - edge_at : 0;
    edge_at = avr->cycle;
}

/* Held through "external" too: any write to a port gives its inputs their pull-ups back. */
static void set_button(int number, int down) {
    static avr_ioport_external_t held[2] = {{.name = 'B'}, {.name = 'D'}};
    avr_ioport_external_t *port = &held[BUTTONS[number].port == 'D'];
    int mask = 1 << BUTTONS[number].bit;
    port->mask |= mask;
    port->value = down ? port->value & ~mask : port->value | mask;
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port->name), port);
    if (down) pressed_at = avr->cycle;
    avr_irq_t *pin = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(BUTTONS[number].port),
                                   BUTTONS[number].bit);
    avr_raise_irq(pin, !down);
}

/* The buzzer's tone now; 0 when it has not moved for 40 ms. */
static int hertz_now(void) {
    if (!edge_at || avr->cycle - edge_at > HERTZ / 25) {
        edge_at = period = 0;
        return 0;
    }
    return period ? (int)((HERTZ + period / 2) / period) : -1;
}

static void report(void) {
    static int last[12] = {-1};
    int now[12], at = 0;
    for (int i = 0; i < 4; i++) {
        int lit = avr->data[LAMPS[i].port] >> LAMPS[i].bit & 1 ? 255 : 0;
        int dimmed = avr->data[LAMPS[i].mode] >> LAMPS[i].on & 1;
        now[at++] = dimmed ? avr->data[LAMPS[i].compare] : lit;
    }
    for (int i = 0; i < 6; i++) now[at++] = avr->data[PORTC] >> i & 1;
    now[at++] = avr->data[PORTB] >> 5 & 1;
    now[at] = hertz_now();
    if (now[at] < 0) now[at] = last[at]; /* the first edge says nothing yet */
    if (abs(now[at] - last[at]) * 50 < now[at]) now[at] = last[at];
    if (!memcmp(now, last, sizeof now)) return;
    memcpy(last, now, sizeof now);
    printf("{\"at\": %.4f, \"wire\": %.4f, \"lamps\": [%d, %d, %d, %d], \"seats\": [%d, %d, %d, %d, %d, %d], "
           "\"own\": %d, \"hertz\": %d}\n",
           (double)avr->cycle / HERTZ, (double)burst_at / HERTZ, now[0], now[1], now[2], now[3], now[4], now[5], now[6],
           now[7], now[8], now[9], now[10], now[11]);
    fflush(stdout);
}

/* Down first: a reset clears the pins' registers, and a level that does not change sets none. */
static void release_all(void) {
    for (int i = 0; i < 6; i++) set_button(i, 1), set_button(i, 0);
}

/* Carries out what stands on standard input; 0 at its end. */
static int obey(void) {
    char text[256];
    ssize_t size = read(0, text, sizeof text - 1);
    if (size <= 0) return 0;
    text[size] = 0;
    for (char *save = NULL, *word = strtok_r(text, "\n", &save); word;
         word = strtok_r(NULL, "\n", &save)) {
        int number;
        if (sscanf(word, "press %d", &number) == 1 && number >= 1 && number <= 6)
            set_button(number - 1, 1);
        else if (sscanf(word, "release %d", &number) == 1 && number >= 1 && number <= 6)
            set_button(number - 1, 0);
        else if (!strcmp(word, "reset"))
            avr_reset(avr), release_all();
    }
    return 1;
}

/* Sleeps where the simulation is ahead of the clock; where it lags, it gives up the lost time. */
static void keep_time(avr_cycle_count_t cycles) {
    static struct timespec next;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!next.tv_sec) next = now;
    next.tv_nsec += cycles * 1000000000ull / HERTZ;
    while (next.tv_nsec >= 1000000000) next.tv_nsec -= 1000000000, next.tv_sec++;
    double ahead = (next.tv_sec - now.tv_sec) + (next.tv_nsec - now.tv_nsec) / 1e9;
    if (ahead > 0.0005) clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    if (ahead < -0.02) next = now;
}

static void open_wire(void) {
    wire = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (wire < 0 || grantpt(wire) || unlockpt(wire)) perror("pseudo-terminal"), exit(1);
    /* Held open here too, so that the host may come and go; raw, so that nothing is translated. */
    int far = open(ptsname(wire), O_RDWR | O_NOCTTY);
    struct termios mode;
    if (far < 0 || tcgetattr(far, &mode)) perror("pseudo-terminal"), exit(1);
    cfmakeraw(&mode);
    tcsetattr(far, TCSANOW, &mode);
    printf("{\"port\": \"%s\"}\n", ptsname(wire));
    fflush(stdout);
}

static void connect_pins(void) {
    uart = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), 0);
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(uart + UART_IRQ_OUTPUT, on_byte, NULL);
    avr_irq_register_notify(uart + UART_IRQ_OUT_XON, on_xon, NULL);
    avr_irq_register_notify(uart + UART_IRQ_OUT_XOFF, on_xoff, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 3), on_buzzer, NULL);
    release_all();
}

int main(int argc, char **argv) {
    elf_firmware_t firmware = {0};
    if (argc != 2 || elf_read_firmware(argv[1], &firmware)) {
        fprintf(stderr, "usage: simulated_uno FIRMWARE.elf\n");
        return 2;
    }
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr || avr_init(avr)) return 1;
    firmware.frequency = HERTZ;
    avr_load_firmware(avr, &firmware);
    avr->log = LOG_NONE;
    open_wire();
    connect_pins();
    for (;;) {
        avr_cycle_count_t from = avr->cycle;
        while (avr->cycle - from < SLICE) {
            int state = avr_run(avr);
            if (state == cpu_Done || state == cpu_Crashed) return 1;
        }
        report();
        keep_time(avr->cycle - from);
        struct pollfd ends[2] = {{wire, POLLIN, 0}, {0, POLLIN, 0}};
        if (poll(ends, 2, 0) <= 0) continue;
        if (ends[0].revents & POLLIN && waiting_to < sizeof waiting) {
            ssize_t size = read(wire, waiting + waiting_to, sizeof waiting - waiting_to);
            if (size > 0) waiting_to += size;
            feed();
        }
        if (ends[1].revents && !obey()) return 0;
    }
}
