import { pluralIn } from '../../../records/messages.ts'
import type { DoctorMessages } from './en.ts'

const plural = pluralIn('de')

export const german: DoctorMessages = {
  title: 'Apps, die diesen Link verwenden',
  about: 'Wann sie den Link zuletzt abgerufen haben und ob sie die Adresse erreichen.',
  areUnknown:
    'Die Abrufe der Apps lassen sich gerade nicht anzeigen. Bitte versuchen Sie es gleich noch einmal.',
  noApps:
    'Bisher hat keine App diesen Link abgerufen. Nach dem Abonnieren erscheint Ihre App hier innerhalb einer Minute. Falls nicht, prüfen Sie die Adresse.',
  aboutTimes: (timeZone) =>
    `Eine App zeigt Änderungen erst nach ihrem nächsten Abruf. Alle Zeiten gelten in der Zeitzone ${timeZone}.`,
  late: 'Überfällig',
  ifStillUsed: 'Falls Sie die App noch verwenden',
  ifMissing: 'Falls Änderungen fehlen',
  lastRefreshed: (time) => `Letzter Abruf: ${time}.`,
  lastUsed: (time) => `Zuletzt verwendet: ${time}.`,
  isLate: (by) => `Der nächste Abruf ist überfällig. Erwartet wurde er spätestens: ${by}.`,
  hasStopped: 'Die App ruft den Link nicht mehr ab, vermutlich weil das Abo dort entfernt wurde.',
  isDelayed: (by) =>
    `Erwartet wurde der nächste Abruf spätestens: ${by}. Eine solche Verzögerung ist noch normal.`,
  nextAround: (time) => `Nächster Abruf voraussichtlich: ${time}.`,
  nextBy: (time) => `Nächster Abruf spätestens: ${time}.`,
  nextBetween: (from, to) => `Nächster Abruf voraussichtlich: ${from} bis ${to}.`,
  everyMinutes: (count) =>
    plural(count, {
      one: 'Meist erfolgt der Abruf etwa jede Minute.',
      other: `Meist erfolgt der Abruf etwa alle ${count} Minuten.`,
    }),
  everyHours: (count) =>
    plural(count, {
      one: 'Meist erfolgt der Abruf etwa jede Stunde.',
      other: `Meist erfolgt der Abruf etwa alle ${count} Stunden.`,
    }),
  everyDays: (count) =>
    plural(count, {
      one: 'Meist erfolgt der Abruf etwa einmal am Tag.',
      other: `Meist erfolgt der Abruf etwa alle ${count} Tage.`,
    }),
  canReach: 'Ist die Adresse für Apps erreichbar?',
  isReachable:
    'Die Server von Google haben diesen Link vor Kurzem gelesen, die Adresse ist also aus dem Internet erreichbar.',
  aboutCheck:
    'Feedhouse kann diese Adresse so abrufen, wie es Handys und Kalenderdienste tun, und dabei https, Zertifikat, Weiterleitungen und Anmeldeseiten sowie Inhalt und Größe prüfen.',
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
    'Feedhouse hat dies vom eigenen Rechner aus geprüft. Eine Firewall kann Handys in anderen Netzen trotzdem blockieren.',
  warnings: {
    machine:
      'Diese Adresse funktioniert nur auf diesem Rechner. Tragen Sie in PUBLIC_URL die Adresse ein, unter der Handys sie erreichen.',
    network:
      'Diese Adresse funktioniert nur in Ihrem eigenen Netz. Tragen Sie in PUBLIC_URL die Adresse ein, unter der Handys sie erreichen.',
    unencrypted:
      'Diese Adresse ist nicht verschlüsselt: Auf dem Weg durchs Netz kann jeder sie mitlesen, und manche Kalender-Apps lehnen sie ab. Setzen Sie einen https-Proxy vor Feedhouse und tragen Sie in PUBLIC_URL die https-Adresse ein.',
  },
  apps: {
    Apple: {
      name: 'Apple-Kalender',
      habit: 'Der Abruf erfolgt alle 15 Minuten bis einmal pro Woche, je nach Einstellung.',
      steps: [
        'Öffnen Sie auf dem iPhone oder iPad die App „Kalender“, tippen Sie auf „Kalender“ und ziehen Sie die Liste nach unten. Damit werden alle Kalender aktualisiert.',
        'Öffnen Sie auf dem iPhone oder iPad Einstellungen › Apps › Kalender › Kalenderaccounts › Datenabgleich (in älteren Versionen: Einstellungen › Kalender › Accounts) und wählen Sie „Automatisch“ oder „Alle 15 Minuten“.',
        'Öffnen Sie auf dem Mac „Kalender“ und wählen Sie Darstellung › Kalender aktualisieren. Damit das öfter geschieht, wählen Sie den Kalender und dann Bearbeiten › Informationen aus und ändern Sie „Automatisch aktualisieren“.',
      ],
    },
    Google: {
      name: 'Google Kalender',
      habit: 'Google ruft Kalender alle 8 bis 24 Stunden ab; das lässt sich nicht ändern.',
      steps: [
        'Warten Sie nach Möglichkeit einen Tag. Die Schaltfläche zum Neuladen in Google Kalender aktualisiert abonnierte Kalender nicht.',
        'Ist die Änderung dringend, öffnen Sie calendar.google.com am Computer, beenden Sie in den Einstellungen des Kalenders das Abo und fügen Sie die Adresse unter Weitere Kalender + › Per URL wieder hinzu. Hängen Sie dabei ?again=1 an die Adresse an, damit Google sie als neu behandelt.',
        'Ist der Abruf immer noch überfällig, prüfen Sie die Adresse. Wenn Google den Kalender nicht lesen kann, bleiben die alten Termine ohne jede Meldung stehen.',
      ],
    },
    Outlook: {
      name: 'Outlook',
      habit:
        'Im Web ruft Outlook Kalender etwa alle 3 Stunden ab, manchmal nur einmal am Tag; unter Windows beim Start und danach alle 1 bis 3 Stunden.',
      steps: [
        'Drücken Sie im klassischen Outlook für Windows die Taste F9. Outlook aktualisiert jeden Kalender höchstens einmal pro Stunde und nur, solange es geöffnet ist.',
        'Outlook im Web und das neue Outlook haben dafür keine Schaltfläche. Entfernen Sie den Kalender und fügen Sie seine Adresse mit ?again=1 am Ende wieder hinzu: Kalender hinzufügen › Aus dem Internet abonnieren.',
      ],
    },
    Thunderbird: {
      name: 'Thunderbird',
      habit:
        'Solange Thunderbird geöffnet ist, ruft es Kalender alle 30 Minuten ab, sofern beim Kalender nichts anderes eingestellt ist.',
      steps: [
        'Öffnen Sie in Thunderbird den Kalender und klicken Sie auf „Synchronisieren“.',
        'Klicken Sie mit der rechten Maustaste auf den Kalender und öffnen Sie seine Eigenschaften. Prüfen Sie, ob er eingeschaltet ist (nach Fehlern schaltet Thunderbird Kalender aus), und stellen Sie ein, wie oft er aktualisiert wird.',
      ],
    },
    Android: {
      name: 'Android (ICSx⁵ oder ähnliche App)',
      habit: 'Die App ruft Kalender einmal am Tag ab, sofern nichts anderes eingestellt ist.',
      steps: [
        'Öffnen Sie ICSx⁵ und ziehen Sie die Liste nach unten. Damit werden alle Kalender der App aktualisiert.',
        'Wählen Sie im Menü von ICSx⁵ ein kürzeres Synchronisierungsintervall.',
        'Erlauben Sie ICSx⁵ in den Android-Einstellungen, im Hintergrund zu laufen: Apps › ICSx⁵ › Akku › Uneingeschränkt.',
      ],
    },
    'other calendar': {
      name: 'Andere Kalender-App',
      habit: 'Je nach App erfolgt der Abruf stündlich bis einmal pro Woche.',
      steps: [
        'Proton Calendar ruft Kalender alle 4 bis 16 Stunden ab, Home Assistant einmal am Tag und Nextcloud je nach Einstellung des Administrators, mindestens aber einmal pro Woche. Warten Sie nach Möglichkeit so lange.',
        'Fastmail gibt nach fünf Fehlern in Folge auf: Schalten Sie den Kalender unter „Einstellungen“ › „Kalender“ wieder ein.',
        'Andernfalls entfernen Sie den Kalender aus der App und fügen seine Adresse wieder hinzu.',
      ],
    },
    reader: {
      name: 'Feedreader',
      habit: 'Feedreader rufen Feeds alle 15 bis 60 Minuten ab.',
      steps: [
        'Aktualisieren Sie den Feed im Feedreader. Feedreader auf dem Handy oder Computer tun das nur, solange sie geöffnet sind.',
        'Sehen Sie in der Feed-Liste nach, ob ein Fehler angezeigt wird, denn viele Feedreader geben nach mehreren Fehlern auf. Entfernen Sie dann den Feed und fügen Sie ihn wieder hinzu.',
      ],
    },
    screen: {
      name: 'Bildschirm',
      habit: 'Der Abruf erfolgt alle paar Minuten bis einmal am Tag, je nach Einstellung.',
      steps: [
        'Prüfen Sie, ob der Bildschirm eingeschaltet und mit dem Netzwerk verbunden ist, und starten Sie dann den Player neu.',
        'Stellen Sie im Player ein, wie oft er den Inhalt abruft. In Xibo ist das das Aktualisierungsintervall des Widgets.',
      ],
    },
    other: { name: 'Browser oder unbekanntes Programm', habit: '', steps: [] },
  },
}
