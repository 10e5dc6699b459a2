import { pluralIn } from '../../records/messages.ts'
import type { CheckMessages } from './en.ts'

const plural = pluralIn('de')
const renew = 'erneuern Sie es im Proxy.'

export const german: CheckMessages = {
  theAddress: 'der Adresse',
  unreachable: (url, code, why) =>
    code === ''
      ? `${url} ist von diesem Rechner aus nicht erreichbar: ${why}`
      : `${url} ist von diesem Rechner aus nicht erreichbar (${code}): ${why}`,
  interrupted: 'Die Verbindung wurde unterbrochen.',
  reasons: (name) => ({
    'name unknown': `Den Hostnamen gibt es nicht; prüfen Sie den Namen in ${name} und seinen DNS-Eintrag.`,
    'name server': `Der Hostname lässt sich gerade nicht auflösen; prüfen Sie den Namen in ${name} und seinen DNS-Eintrag.`,
    refused: `Auf dem Port antwortet kein Dienst; starten Sie den Proxy und prüfen Sie den Port in ${name}.`,
    'no route': 'Es gibt keine Route dorthin; prüfen Sie den DNS-Eintrag und das Netzwerk.',
    'no answer': 'Der Server antwortet nicht; öffnen Sie den Port in der Firewall und im Router.',
    'certificate expired': `Das Zertifikat ist abgelaufen; ${renew}`,
    'certificate not yet valid':
      'Das Zertifikat ist noch nicht gültig; prüfen Sie die Uhr dieses Rechners.',
    'certificate self-signed': `Das Zertifikat ist selbst signiert, und Handys lehnen es ab; ${renew}`,
    'certificate from an unknown authority':
      'Handys vertrauen dem Zertifikat nicht; stellen Sie den Proxy so ein, dass er die Zwischenzertifikate mitsendet, oder verwenden Sie das Zertifikat einer öffentlichen Zertifizierungsstelle.',
    'certificate of another host': `Das Zertifikat gilt für einen anderen Hostnamen; prüfen Sie den Namen in ${name} und seinen DNS-Eintrag.`,
    'no TLS': `Dort wird kein https angeboten; richten Sie https im Proxy ein und prüfen Sie den Port in ${name}.`,
  }),
  notEncrypted:
    'Die Adresse ist nicht verschlüsselt: Auf dem Weg durchs Netz kann jeder sie mitlesen, und manche Apps lehnen sie ab. Setzen Sie einen https-Proxy vor den Server und verwenden Sie die https-Adresse.',
  encrypted: 'Die Adresse verwendet https.',
  expires: (day) =>
    `Das Zertifikat läuft am ${day} ab. Prüfen Sie, warum es noch nicht erneuert wurde.`,
  trusted: (day) =>
    `Das Zertifikat ist vertrauenswürdig, passt zum Hostnamen und gilt bis zum ${day}.`,
  upgrades:
    'Die http-Adresse leitet auf https weiter; die meisten Apps kommen damit zurecht. Geben Sie trotzdem die https-Adresse weiter.',
  doesNotRedirect: 'Die Adresse leitet nicht weiter.',
  redirectsToItself:
    'Die Adresse leitet auf sich selbst oder auf eine ungültige Adresse weiter. Korrigieren Sie die Einstellungen des Proxys.',
  redirectsToHttps: 'Die Adresse leitet auf https weiter. Verwenden Sie die https-Adresse.',
  redirects: (target) =>
    `Die Adresse leitet auf ${target} weiter. Manche Apps folgen dem nicht, und iPhones übernehmen den Kalender dann nur einmal. Verwenden Sie die Adresse, bei der die Weiterleitung endet, oder nehmen Sie Kalender und Feeds von der Anmeldung aus, falls es eine Anmeldeseite ist.`,
  validatorMissing: (header) =>
    `${header} fehlt, daher laden Apps jedes Mal alles. Stellen Sie den Proxy so ein, dass er ETag, Last-Modified und If-None-Match unverändert weitergibt.`,
  sentAgain: (status, header) =>
    `Unveränderter Inhalt wird trotz ${header} noch einmal gesendet (${status}), daher laden Apps jedes Mal alles. Stellen Sie den Proxy so ein, dass er ETag, Last-Modified und If-None-Match unverändert weitergibt.`,
  secondFailed:
    'Eine zweite Anfrage ist fehlgeschlagen, der Server ist also nicht immer erreichbar. Sehen Sie in seinem Protokoll nach.',
  notSentAgain: 'Unveränderter Inhalt wird nicht noch einmal gesendet (304).',
  portRedirects:
    'Port 80 leitet auf https weiter, daher funktionieren webcal:-Schaltflächen in allen Apps.',
  portDoesNotRedirect: (port) =>
    `Port ${port} leitet nicht auf https weiter. Manche Apps, zum Beispiel Thunderbird, öffnen dort webcal:-Adressen. Stellen Sie den Proxy so ein, dass er http auf https weiterleitet.`,
  portDoesNotRespond: (port) =>
    `Port ${port} antwortet nicht. Manche Apps, zum Beispiel Thunderbird, öffnen dort webcal:-Adressen. Öffnen Sie den Port und leiten Sie http auf https weiter.`,
  password:
    'Die Adresse verlangt ein Passwort, das Kalender-Apps nicht eingeben können. Schalten Sie das im Proxy für Kalender und Feeds ab; private Inhalte sind schon durch die Links geschützt.',
  refusingPage:
    'Die Adresse antwortet mit einer Webseite, die den Zugriff verweigert, zum Beispiel mit einer Browserprüfung. Nehmen Sie Kalender und Feeds davon aus, denn Apps kommen nicht daran vorbei.',
  statuses: {
    404: 'Unter dieser Adresse ist nichts zu finden (404). Prüfen Sie, ob sie vollständig und aktuell ist.',
    410: 'Die Adresse gibt es nicht mehr (410), zum Beispiel weil der Link widerrufen wurde.',
    429: 'Der Server begrenzt die Anfragen (429). Warten Sie eine Minute und prüfen Sie dann noch einmal.',
  },
  serverFails: (status) =>
    `Der Server antwortet mit ${status}. Feedhouse startet gerade oder ist gestört, oder der Proxy erreicht es nicht. Sehen Sie in beiden Protokollen nach.`,
  otherStatus: (status) =>
    `Der Server antwortet mit ${status} statt 200. Stellen Sie den Proxy so ein, dass er Inhalte unverändert weitergibt.`,
  tooLarge: (kilobytes, googleKilobytes) =>
    `Die Antwort ist größer als ${kilobytes} kB, daher wurde der Rest nicht gelesen. Google liest höchstens ${googleKilobytes} kB. Wählen Sie weniger Kalender oder weniger Tage aus.`,
  notDecompressed:
    'Die komprimierte Antwort lässt sich nicht entpacken. Schalten Sie die Komprimierung im Proxy ab; Feedhouse komprimiert selbst.',
  webPage: 'eine Webseite',
  webPageCalled: (title) => `die Webseite „${title}“`,
  pageWithPassword: (page) =>
    `Die Adresse zeigt ${page}, die ein Passwort verlangt. Nehmen Sie Kalender und Feeds davon aus, denn Kalender-Apps können sich nicht anmelden.`,
  pageInsteadOfFeed: (page) =>
    `Die Adresse zeigt ${page} statt eines Kalenders oder Feeds, zum Beispiel eine Anmeldeseite oder eine Browserprüfung. Verwenden Sie die Adresse eines Kalenders oder Feeds oder nehmen Sie Kalender und Feeds von dieser Seite aus.`,
  pageWithoutFeeds: (page) =>
    `Die Adresse zeigt ${page}, die auf keine Kalender oder Feeds verweist. Wenn es keine Anmeldeseite ist, verwenden Sie die Adresse eines Kalenders oder Feeds.`,
  pageWithFeeds: (page, feeds) =>
    plural(feeds, {
      one: `Die Adresse zeigt ${page}, die auf ${feeds} Kalender oder Feed verweist.`,
      other: `Die Adresse zeigt ${page}, die auf ${feeds} Kalender und Feeds verweist.`,
    }),
  unknownContent:
    'Die Antwort ist weder ein Kalender noch ein Feed. Prüfen Sie die Adresse und den Proxy.',
  kinds: { calendar: 'Kalender', RSS: 'RSS-Feed', Atom: 'Atom-Feed', 'JSON Feed': 'JSON Feed' },
  complete: (kind, entries) =>
    plural(entries, {
      one: `Die Antwort ist vollständig: ${kind} mit ${entries} Eintrag.`,
      other: `Die Antwort ist vollständig: ${kind} mit ${entries} Einträgen.`,
    }),
  damaged: (kind, reason) =>
    `Beschädigter Inhalt (${kind}): ${reason}. Prüfen Sie, ob ein Proxy ihn verändert.`,
  damages: {
    byteOrderMark:
      'Er beginnt mit einer Byte-Reihenfolge-Markierung (BOM), die mehrere Apps ablehnen',
    notAProperty: (line) => `Zeile ${line} ist keine Kalendereigenschaft`,
    continues: 'Nach END:VCALENDAR folgt noch etwas',
    notOpen: (line) => `Zeile ${line} beendet eine Komponente, die nicht begonnen wurde`,
    noUid: 'Ein Eintrag hat keine UID',
    sameUid: 'Zwei Einträge haben dieselbe UID, daher zeigen Apps nur einen davon',
    isCutOff: (component) => `END:${component} fehlt, der Inhalt ist also abgeschnitten`,
    noVersion: 'VERSION:2.0 fehlt',
    invalidJson: 'Er ist kein gültiges JSON',
    notClosed: (element) => `Das Element <${element}> ist nicht geschlossen`,
  },
  type: (name) => `Der Inhaltstyp (Content-Type) ist ${name}.`,
  wrongType: (name, expected) =>
    `Der Inhaltstyp ist ${name} statt ${expected}. Stellen Sie den Proxy so ein, dass er ihn nicht ändert.`,
  noType: (expected) =>
    `Der Inhaltstyp fehlt; er müsste ${expected} sein. Stellen Sie den Proxy so ein, dass er ihn nicht ändert.`,
  size: (kilobytes) => `Die Größe beträgt ${kilobytes} kB.`,
  sizeTooLargeForGoogle: (kilobytes, googleKilobytes) =>
    `Die Größe beträgt ${kilobytes} kB. Google Kalender liest höchstens etwa ${googleKilobytes} kB. Wählen Sie weniger Kalender oder weniger Tage aus.`,
  sizeLarge: (kilobytes) =>
    `Die Größe beträgt ${kilobytes} kB. Zeigen Sie weniger Einträge oder nur Zusammenfassungen.`,
  fast: 'Die Antwort kam in weniger als 0,1 Sekunden.',
  took: (seconds) => `Die Antwort dauerte ${seconds} Sekunden.`,
  slow: (seconds) =>
    `Die Antwort dauerte ${seconds} Sekunden. iPhones zeigen in dieser Zeit nichts an, sodass die Schaltfläche defekt wirkt.`,
  tooSlow: (seconds) =>
    `Die Antwort dauerte ${seconds} Sekunden; so lange warten Apps nicht. Prüfen Sie Auslastung und Netz des Servers.`,
  compressed: (coding) => `Die Antwort ist mit ${coding} komprimiert.`,
  notCompressed:
    'Die Antwort ist nicht komprimiert. Stellen Sie den Proxy so ein, dass er Accept-Encoding weitergibt.',
  maybeCached:
    'Cache-Control enthält nicht „private“, daher können gemeinsame Caches diesen privaten Inhalt speichern. Stellen Sie den Proxy so ein, dass er diesen Header nicht ändert.',
  isPrivate:
    'Gemeinsame Caches speichern den Inhalt nicht, und Suchmaschinen nehmen ihn nicht auf.',
  maybeListed:
    'X-Robots-Tag enthält nicht „noindex“, daher können Suchmaschinen diese private Adresse aufnehmen. Stellen Sie den Proxy so ein, dass er diesen Header nicht ändert.',
  noEffect: (name, suggestion) =>
    suggestion === undefined
      ? `„${name}“ in der Adresse hat keine Wirkung.`
      : `„${name}“ in der Adresse hat keine Wirkung. Meinten Sie „${suggestion}“?`,
}
