import { pluralIn } from '../../../../records/messages.ts'
import type { DoctorMessages } from './en.ts'

const plural = pluralIn('de')

export const german: DoctorMessages = {
  title: 'Apps, die diesen Link verwenden',
  about: 'Wann sie zuletzt aktualisiert haben und ob sie die Adresse erreichen.',
  areUnknown:
    'Die Aktualisierungen lassen sich gerade nicht anzeigen. Bitte versuchen Sie es gleich noch einmal.',
  noApps:
    'Noch hat keine App diesen Link verwendet. Nach dem Abonnieren erscheint Ihre App hier innerhalb einer Minute. Falls nicht, prüfen Sie die Adresse.',
  aboutTimes: (timeZone) =>
    `Eine App zeigt Änderungen erst, nachdem sie aktualisiert hat. Die Zeiten gelten für die Zeitzone ${timeZone}.`,
  late: 'Überfällig',
  ifStillUsed: 'Falls Sie sie noch verwenden',
  ifMissing: 'Falls Änderungen fehlen',
  lastRefreshed: (time) => `Zuletzt aktualisiert: ${time}.`,
  lastUsed: (time) => `Zuletzt verwendet: ${time}.`,
  isLate: (by) => `Überfällig. Die nächste Aktualisierung war spätestens erwartet: ${by}.`,
  hasStopped: 'Sie aktualisiert nicht mehr, vermutlich weil das Abo aus der App entfernt wurde.',
  isDelayed: (by) =>
    `Die nächste Aktualisierung war spätestens erwartet: ${by}. Eine solche Verzögerung ist noch normal.`,
  nextAround: (time) => `Nächste Aktualisierung etwa: ${time}.`,
  nextBy: (time) => `Nächste Aktualisierung spätestens: ${time}.`,
  nextBetween: (from, to) => `Nächste Aktualisierung zwischen: ${from} und ${to}.`,
  everyMinutes: (count) =>
    plural(count, {
      one: 'Sie aktualisiert meist etwa jede Minute.',
      other: `Sie aktualisiert meist etwa alle ${count} Minuten.`,
    }),
  everyHours: (count) =>
    plural(count, {
      one: 'Sie aktualisiert meist etwa jede Stunde.',
      other: `Sie aktualisiert meist etwa alle ${count} Stunden.`,
    }),
  everyDays: (count) =>
    plural(count, {
      one: 'Sie aktualisiert meist etwa jeden Tag.',
      other: `Sie aktualisiert meist etwa alle ${count} Tage.`,
    }),
  canReach: 'Erreichen Apps die Adresse?',
  isReachable:
    'Die Server von Google haben diesen Link vor Kurzem gelesen, die Adresse ist also aus dem Internet erreichbar.',
  aboutCheck:
    'Feedhouse kann diese Adresse so abrufen wie Telefone und Kalenderdienste und dabei https, das Zertifikat, Weiterleitungen, Anmeldeseiten, den Inhalt und seine Größe prüfen.',
  check: 'Adresse prüfen',
  checkAgain: 'Noch einmal prüfen',
  isBusy:
    'Gerade werden viele Adressen geprüft. Bitte versuchen Sie es in einer Minute noch einmal.',
  canRead: 'Apps können diese Adresse lesen.',
  cannotRead: 'Manche Apps können diese Adresse nicht lesen.',
  checked: (moment) => `Geprüft: ${moment}.`,
  states: { ok: 'OK', note: 'Hinweis', fault: 'Problem' },
  titled: (title, problem) => `${title}: ${problem}`,
  passed: (count) => `Bestandene Prüfungen (${count})`,
  fromOwnMachine:
    'Feedhouse hat dies von seinem eigenen Rechner aus geprüft. Eine Firewall kann Telefone in anderen Netzen trotzdem sperren.',
  warnings: {
    machine:
      'Diese Adresse funktioniert nur auf diesem Rechner. Tragen Sie in PUBLIC_URL die Adresse ein, die Telefone verwenden.',
    network:
      'Diese Adresse funktioniert nur in Ihrem eigenen Netz. Tragen Sie in PUBLIC_URL die Adresse ein, die Telefone verwenden.',
    unencrypted:
      'Diese Adresse ist nicht verschlüsselt: Auf dem Weg durch das Netz kann sie jeder lesen, und manche Kalender-Apps nehmen sie nicht an. Setzen Sie einen https-Proxy vor Feedhouse und tragen Sie in PUBLIC_URL die https-Adresse ein.',
  },
  apps: {
    Apple: {
      name: 'Apple-Kalender',
      habit: 'Er aktualisiert alle 15 Minuten bis einmal pro Woche, je nach Einstellungen.',
      steps: [
        'Öffnen Sie auf dem iPhone oder iPad die App „Kalender“, tippen Sie auf „Kalender“ und ziehen Sie die Liste nach unten. Damit werden alle Kalender aktualisiert.',
        'Öffnen Sie auf dem iPhone oder iPad Einstellungen › Apps › Kalender › Kalenderaccounts › Datenabgleich (in älteren Versionen: Einstellungen › Kalender › Accounts) und wählen Sie „Automatisch“ oder „Alle 15 Minuten“.',
        'Öffnen Sie auf dem Mac „Kalender“ und wählen Sie Darstellung › Kalender aktualisieren. Damit er öfter aktualisiert, wählen Sie den Kalender aus, dann Bearbeiten › Informationen, und ändern Sie „Automatisch aktualisieren“.',
      ],
    },
    Google: {
      name: 'Google Kalender',
      habit: 'Er aktualisiert alle 8 bis 24 Stunden, was sich nicht ändern lässt.',
      steps: [
        'Warten Sie, wenn möglich, einen Tag. Die Schaltfläche zum Neuladen in Google Kalender aktualisiert abonnierte Kalender nicht.',
        'Ist die Änderung dringend, öffnen Sie calendar.google.com an einem Computer, kündigen das Abo in den Einstellungen des Kalenders und fügen die Adresse unter Weitere Kalender + › Per URL wieder hinzu. Setzen Sie ?again=1 an das Ende der Adresse, damit Google sie für neu hält.',
        'Ist er immer noch überfällig, prüfen Sie die Adresse. Google behält die alten Einträge und meldet nichts, wenn es den Kalender nicht lesen kann.',
      ],
    },
    Outlook: {
      name: 'Outlook',
      habit:
        'Im Web aktualisiert Outlook etwa alle 3 Stunden und manchmal nur einmal am Tag, unter Windows beim Start und danach alle 1 bis 3 Stunden.',
      steps: [
        'Drücken Sie im klassischen Outlook für Windows F9. Es aktualisiert jeden Kalender höchstens einmal pro Stunde und nur, solange es geöffnet ist.',
        'Outlook im Web und das neue Outlook haben dafür keine Schaltfläche. Entfernen Sie den Kalender und fügen Sie seine Adresse mit ?again=1 am Ende wieder hinzu: „Kalender hinzufügen“, dann aus dem Internet abonnieren.',
      ],
    },
    Thunderbird: {
      name: 'Thunderbird',
      habit:
        'Thunderbird aktualisiert alle 30 Minuten, solange es geöffnet ist, sofern der Kalender nicht anders eingestellt ist.',
      steps: [
        'Öffnen Sie Thunderbird, gehen Sie zum Kalender und klicken Sie auf „Synchronisieren“.',
        'Klicken Sie mit der rechten Maustaste auf den Kalender und öffnen Sie seine Eigenschaften. Achten Sie darauf, dass er eingeschaltet ist, denn Thunderbird schaltet Kalender nach Fehlern aus, und stellen Sie ein, wie oft er aktualisiert.',
      ],
    },
    Android: {
      name: 'Android (ICSx⁵ oder eine ähnliche App)',
      habit: 'Die App aktualisiert einmal am Tag, sofern sie nicht anders eingestellt ist.',
      steps: [
        'Öffnen Sie ICSx⁵ und ziehen Sie die Liste nach unten. Damit werden alle Kalender der App aktualisiert.',
        'Öffnen Sie das Menü von ICSx⁵ und wählen Sie ein kürzeres Intervall.',
        'Erlauben Sie ICSx⁵ in den Einstellungen von Android, im Hintergrund zu laufen: Öffnen Sie ICSx⁵ in der Liste der Apps und heben Sie die Einschränkung beim Akku auf.',
      ],
    },
    'other calendar': {
      name: 'Andere Kalender-App',
      habit: 'Die App aktualisiert jede Stunde bis einmal pro Woche, je nach App.',
      steps: [
        'Proton Calendar aktualisiert alle 4 bis 16 Stunden, Home Assistant einmal am Tag und Nextcloud je nach Vorgabe der Verwaltung, mindestens einmal pro Woche. Warten Sie, wenn möglich, so lange.',
        'Fastmail hört nach fünf Fehlern in Folge auf: Schalten Sie den Kalender in den Kalendereinstellungen wieder ein.',
        'Entfernen Sie den Kalender sonst aus der App und fügen Sie seine Adresse wieder hinzu.',
      ],
    },
    reader: {
      name: 'Feedreader',
      habit: 'Er aktualisiert alle 15 bis 60 Minuten.',
      steps: [
        'Aktualisieren Sie den Feed im Feedreader. Feedreader auf Telefonen oder Computern aktualisieren nur, solange sie geöffnet sind.',
        'Sehen Sie in der Feed-Liste nach, ob ein Fehler angezeigt wird, denn viele Feedreader hören nach mehreren Fehlern auf. Entfernen Sie dann den Feed und fügen Sie ihn wieder hinzu.',
      ],
    },
    screen: {
      name: 'Bildschirm',
      habit: 'Er aktualisiert alle paar Minuten bis einmal am Tag, je nach Einstellungen.',
      steps: [
        'Achten Sie darauf, dass der Bildschirm eingeschaltet und mit dem Netz verbunden ist, und starten Sie dann seinen Player neu.',
        'Stellen Sie im Player ein, wie oft er aktualisiert. In Xibo ist das das Aktualisierungsintervall des Widgets.',
      ],
    },
    other: { name: 'Browser oder unbekanntes Programm', habit: '', steps: [] },
  },
}
