# Ein Telefon als Kamera: auf dem Telefon.
film-title = Die Kamera des Tisches
film-do = Befestige das Telefon über dem Tisch, mit dem Bildschirm nach oben, bevor du beginnst. Es filmt den Tisch und schickt die Bilder nur an das Gerät am Tisch.
film-begin = Dieses Telefon als Kamera verwenden
film-picture = Was dieses Telefon filmt
film-starting = Einen Moment. Die Kamera stellt sich auf das Licht ein …
film-goes = Dieses Telefon filmt: { $rate } Bilder pro Sekunde, { $dropped } ausgelassen.
film-rests = Das Telefon ist bereit. Es filmt, sobald ein Spiel oder die Einrichtung beginnt.
film-unreached = Das Gerät am Tisch antwortet nicht. Das Telefon versucht es weiter.
film-turned = Das Telefon wurde gedreht. Drehe es zurück, wie es am Anfang lag.
film-asleep = Dieser Browser kann den Bildschirm nicht anlassen. Schalte die automatische Sperre in den Einstellungen aus und stecke das Telefon an.
film-unlocked = Dieser Browser lässt das Licht nicht festhalten. Lass die Lampe, wie sie ist, solange ihr spielt.
film-stop = Filmen beenden
film-adjust = Das Licht ist anders
film-refused = Die Kamera wurde nicht erlaubt. Erlaube sie für diese Seite in den Einstellungen des Browsers und lade die Seite neu.
film-no-camera = Dieses Gerät hat keine Kamera.
film-in-use = Eine andere App verwendet die Kamera. Schließe sie.
film-insecure = Browser lassen eine Seite nur über https filmen. Öffne am Bildschirm des Tisches ☰, Telefon als Kamera, und scanne den Code.

# Am Bildschirm des Tisches.
use-phone = Telefon als Kamera
phone-title = Ein Telefon als Kamera
camera-own = Kamera { $name }
camera-phone = Ein Telefon
phone-connect = Telefon verbinden
phone-none = Noch filmt kein Telefon.
phone-films = { $name } filmt.
phone-lost = { $name }: Es kommt kein Bild.
phone-step-scan = Scanne diesen Code mit dem Telefon. Telefon und Tisch müssen im selben WLAN sein.
phone-step-warning = Der Browser warnt einmal, denn das Gerät hat sein Zertifikat selbst gemacht. Geh weiter:
phone-warning-android = Chrome: Tippe auf Erweitert, dann auf Weiter. Firefox: Erweitert, dann Risiko akzeptieren.
phone-warning-iphone = Safari: Tippe auf Details einblenden, dann auf diese Website besuchen, und bestätige.
phone-step-pair = Tippe auf Verbinden.
phone-step-begin = Tippe auf Dieses Telefon als Kamera verwenden und erlaube die Kamera.
phone-step-mount = Befestige das Telefon über dem Tisch, sodass es ihn ganz sieht. Stecke es an: Filmen braucht viel Strom.
phone-address = Ohne Scannen: { $address } und die Ziffern { $digits }
phone-unreached = Noch erreicht kein Telefon diese Seite. Starte sie mit: fairdeal kiosk --host 0.0.0.0
part-phone = Telefon
