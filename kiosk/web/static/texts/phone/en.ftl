# A phone as the camera: on the phone.
film-title = The table's camera
film-do = Mount this phone above the table, the screen up, before you begin. It films the table and sends the pictures to the table's machine, nowhere else.
film-begin = Use this phone as the camera
film-picture = What this phone films
film-starting = One moment. The camera looks for the right light …
film-goes = This phone films: { $rate } pictures a second, { $dropped } left out.
film-rests = This phone is ready. It films once a game or the set-up begins.
film-unreached = The table's machine does not answer. This phone tries on.
film-turned = The phone was turned. Turn it back to how it was when it began.
film-asleep = This browser cannot keep the screen on. Switch off the automatic lock in the phone's settings, and plug the phone in.
film-unlocked = This browser lets no page lock the light. Keep the lamp as it is while you play.
film-stop = Stop filming
film-adjust = The light has changed
film-refused = The camera was refused. Allow it for this page in the browser's settings, then load the page again.
film-no-camera = This device has no camera.
film-in-use = Another app uses the camera. Close it.
film-insecure = Browsers let a page film only over https. On the table's screen open ☰, Use a phone as the camera, and scan its code.

# On the table's screen.
use-phone = Use a phone as the camera
phone-title = Use a phone as the camera
camera-own = Camera { $name }
camera-phone = A phone
phone-connect = Connect a phone
phone-none = No phone films yet.
phone-films = { $name } films.
phone-lost = { $name }: no picture comes.
phone-step-scan = Scan this code with the phone. Phone and table must be in the same Wi-Fi.
phone-step-warning = The browser warns once, for this machine has made its certificate itself. Go on:
phone-warning-android = Chrome: tap Advanced, then Proceed. Firefox: Advanced, then Accept the risk.
phone-warning-iphone = Safari: tap Show Details, then visit this website, and confirm.
phone-step-pair = Tap Pair.
phone-step-begin = Tap Use this phone as the camera, and allow the camera.
phone-step-mount = Mount the phone over the table, so that it sees all of it. Plug it in: filming takes much of its battery.
phone-address = Without scanning: { $address } and the digits { $digits }
phone-unreached = No phone reaches this page yet. Start it with: fairdeal kiosk --host 0.0.0.0
part-phone = Phone
