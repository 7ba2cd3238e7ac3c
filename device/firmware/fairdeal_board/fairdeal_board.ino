// The fairdeal signal board on an Arduino Uno or Nano (ATmega328P, 16 MHz).
// Copyright the fairdeal authors; licence AGPL-3.0-or-later.
//
// It speaks docs/serial-protocol.md, version 1. Wiring: docs/wiring.md. Open this folder in the
// Arduino IDE and press Upload, or run `make -C device/firmware upload PORT=/dev/ttyUSB0`.

#include <Arduino.h>
#include <avr/eeprom.h>
#include <util/crc16.h>

const uint8_t VERSION = 1;
const char NAME[] = "fairdeal-uno";

// tone() takes timer 2, so lamps that are to be dimmed keep off pins 3 and 11.
const uint8_t LAMP_PINS[] = {5, 6, 9, 10};  // mistake, complete, turn, unsure
const uint8_t SEAT_PINS[] = {A0, A1, A2, A3, A4, A5};
const uint8_t BUTTON_PINS[] = {2, 4, 7, 8, 11, 12};  // to ground, with the chip's own pull-up
const uint8_t BUZZER_PIN = 3;
const uint8_t OWN_LAMP_PIN = 13;

const uint8_t LAMPS = sizeof LAMP_PINS, SEATS = sizeof SEAT_PINS, BUTTONS = sizeof BUTTON_PINS;
const uint8_t LONGEST = 72;
const unsigned int BOOT_SAYS_MS = 250, PRESS_RETRY_MS = 15, PRESS_STALE_MS = 2000, LOST_MS = 3000;
const uint8_t DEBOUNCE_MS = 4;

// --- the line that is being read -------------------------------------------------------------
char line[LONGEST + 1];
uint8_t length = 0;
bool inLine = false, stray = false;

// --- the talk --------------------------------------------------------------------------------
bool greeted = false, lost = false;
uint8_t lastSeq = 0;
uint16_t bootNumber;
unsigned long heardAt = 0, bootSaidAt = 0;

// --- buttons: what each pin was, since when, and the presses that wait for their answer ---------
bool isDown[BUTTONS];
unsigned long changedAt[BUTTONS];
struct Press {
  unsigned long at;
  uint8_t seq, button;
};
Press presses[8];
uint8_t pressCount = 0, pressSeq = 0;
unsigned long pressSaidAt = 0;

// One line out: `$`, body, `*`, CRC, newline, in one write where the buffer has room.
void say(const char *body) {
  uint16_t crc = 0xFFFF;
  for (const char *c = body; *c; c++) crc = _crc_xmodem_update(crc, *c);
  char tail[8];
  snprintf(tail, sizeof tail, "*%04X\n", crc);
  Serial.write('$');
  Serial.write(body);
  Serial.write(tail);
}

void sayBoot() {
  char body[24];
  snprintf(body, sizeof body, "00B %u %04X", VERSION, bootNumber);
  say(body);
  bootSaidAt = millis();
}

void sayAck(uint8_t seq) {
  char body[8];
  snprintf(body, sizeof body, "%02XA", seq);
  say(body);
}

// A capital hexadecimal digit's value, or 255.
uint8_t digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 255;
}

// Reads `count` bytes of two digits each; false where one is none.
bool readHex(const char *text, uint8_t *out, uint8_t count) {
  for (uint8_t i = 0; i < count; i++) {
    uint8_t high = digit(text[2 * i]);
    if (high == 255) return false;
    uint8_t low = digit(text[2 * i + 1]);
    if (low == 255) return false;
    out[i] = high << 4 | low;
  }
  return true;
}

void dark() {
  for (uint8_t i = 0; i < LAMPS; i++) analogWrite(LAMP_PINS[i], 0);
  for (uint8_t i = 0; i < SEATS; i++) digitalWrite(SEAT_PINS[i], LOW);
  noTone(BUZZER_PIN);
}

// `LLLLLLLL SSSSSSSSSSSS RRGGBB hertz milliseconds`; nothing is shown unless all of it is good.
void show(const char *args) {
  uint8_t lamps[LAMPS], seats[SEATS];
  const uint8_t seatsAt = 2 * LAMPS + 1, colourAt = seatsAt + 2 * SEATS + 1, toneAt = colourAt + 7;
  if (strlen(args) <= toneAt || args[seatsAt - 1] != ' ' || args[colourAt - 1] != ' ' ||
      args[toneAt - 1] != ' ' || !readHex(args, lamps, LAMPS) ||
      !readHex(args + seatsAt, seats, SEATS))
    return;
  char *rest;
  unsigned long hertz = strtoul(args + toneAt, &rest, 10);
  unsigned long milliseconds = strtoul(rest, nullptr, 10);
  for (uint8_t i = 0; i < LAMPS; i++) analogWrite(LAMP_PINS[i], lamps[i]);
  for (uint8_t i = 0; i < SEATS; i++) digitalWrite(SEAT_PINS[i], seats[i] ? HIGH : LOW);
  if (hertz >= 31 && hertz <= 20000 && milliseconds)
    tone(BUZZER_PIN, hertz, milliseconds);
  else
    noTone(BUZZER_PIN);
}

void welcome(const char *args) {
  const char *session = strchr(args, ' ');
  if (!session || strlen(session + 1) != 4) return;
  greeted = true;
  lastSeq = 0;
  char body[56];
  snprintf(body, sizeof body, "00W %u %s %04X %u %u %u %s", VERSION, session + 1, bootNumber, LAMPS,
           SEATS, BUTTONS, NAME);
  say(body);
}

// A line with its `*CRC` cut off and found right.
void obey(char *body, uint8_t size) {
  uint8_t seq;
  if (size < 3 || !readHex(body, &seq, 1)) return;
  char kind = body[2];
  const char *args = size > 4 ? body + 4 : "";
  heardAt = millis();
  lost = false;
  if (kind == 'H') {
    welcome(args);
  } else if (kind == 'N') {
    pressSaidAt = 0;
  } else if (kind == 'A') {
    if (pressCount && presses[0].seq == seq) {
      memmove(presses, presses + 1, --pressCount * sizeof(Press));
      pressSaidAt = 0;
    }
  } else if (!greeted) {
    sayBoot();
  } else {
    if (kind == 'S' && seq != lastSeq) show(args);
    lastSeq = seq;
    sayAck(seq);
  }
}

// A whole line: checks it, obeys it or asks for it again.
void take() {
  if (length && line[length - 1] == '\r') length--;
  uint8_t check[2];
  if (length > 5 && line[length - 5] == '*' && readHex(line + length - 4, check, 2)) {
    uint16_t crc = 0xFFFF;
    uint8_t size = length - 5;
    for (uint8_t i = 0; i < size; i++) crc = _crc_xmodem_update(crc, line[i]);
    if (crc == ((uint16_t)check[0] << 8 | check[1])) {
      line[size] = 0;
      obey(line, size);
      return;
    }
  }
  say("00N");
}

void hear() {
  while (Serial.available()) {
    char c = Serial.read();
    if (c == '$') {
      inLine = true;
      stray = false;
      length = 0;
    } else if (inLine && c == '\n') {
      inLine = false;
      take();
    } else if (inLine) {
      if (length < LONGEST)
        line[length++] = c;
      else
        inLine = false, stray = true;
    } else {
      // A line that lost its `$` is a damaged line, and told as one at its end.
      if (c == '\n' && stray) say("00N");
      stray = c != '\n' && c != '\r';
    }
  }
}

void watchButtons() {
  unsigned long now = millis();
  for (uint8_t i = 0; i < BUTTONS; i++) {
    bool down = digitalRead(BUTTON_PINS[i]) == LOW;
    if (down == isDown[i]) {
      changedAt[i] = now;
    } else if (now - changedAt[i] >= DEBOUNCE_MS) {
      isDown[i] = down;
      if (down && pressCount < 8) {
        pressSeq = pressSeq % 255 + 1;
        presses[pressCount++] = {now, pressSeq, (uint8_t)(i + 1)};
      }
    }
  }
}

void sayPresses() {
  unsigned long now = millis();
  while (pressCount && now - presses[0].at > PRESS_STALE_MS) {
    memmove(presses, presses + 1, --pressCount * sizeof(Press));
    pressSaidAt = 0;
  }
  if (!pressCount || !greeted) return;
  if (pressSaidAt && now - pressSaidAt < PRESS_RETRY_MS) return;
  pressSaidAt = now ? now : 1;
  char body[12];
  snprintf(body, sizeof body, "%02XK %u", presses[0].seq, presses[0].button);
  say(body);
}

void watchHost() {
  unsigned long now = millis();
  if (!lost && now - heardAt > LOST_MS) {
    lost = true;
    dark();
  }
  if (!greeted && now - bootSaidAt >= BOOT_SAYS_MS) sayBoot();
  digitalWrite(OWN_LAMP_PIN, greeted && !lost ? HIGH : (now / 500) % 2 ? HIGH : LOW);
}

void setup() {
  for (uint8_t i = 0; i < LAMPS; i++) pinMode(LAMP_PINS[i], OUTPUT);
  for (uint8_t i = 0; i < SEATS; i++) pinMode(SEAT_PINS[i], OUTPUT);
  for (uint8_t i = 0; i < BUTTONS; i++) pinMode(BUTTON_PINS[i], INPUT_PULLUP);
  pinMode(BUZZER_PIN, OUTPUT);
  pinMode(OWN_LAMP_PIN, OUTPUT);
  dark();
  bootNumber = eeprom_read_word((const uint16_t *)0) + 1;
  eeprom_update_word((uint16_t *)0, bootNumber);
  Serial.begin(115200);
}

void loop() {
  hear();
  watchButtons();
  sayPresses();
  watchHost();
}
