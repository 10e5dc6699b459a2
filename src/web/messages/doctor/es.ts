import { endedWithPeriod, pluralIn } from '../../../records/messages.ts'
import type { DoctorMessages } from './en.ts'

const plural = pluralIn('es')

export const spanish: DoctorMessages = {
  title: 'Aplicaciones que usan este enlace',
  about: 'Cuándo se actualizaron por última vez y si pueden abrir la dirección.',
  areUnknown:
    'Por ahora no se pueden mostrar las actualizaciones. Inténtelo de nuevo en unos momentos.',
  noApps:
    'Todavía ninguna aplicación ha usado este enlace. Después de suscribirse, su aplicación aparecerá aquí en menos de un minuto. Si no aparece, verifique la dirección.',
  aboutTimes: (timeZone) =>
    `Las aplicaciones muestran los cambios solo después de actualizarse. Las horas corresponden a la zona horaria ${timeZone}.`,
  late: 'Atrasada',
  ifStillUsed: 'Si todavía la usa',
  ifMissing: 'Si faltan cambios',
  lastRefreshed: (time) => endedWithPeriod(`Última actualización: ${time}`),
  lastUsed: (time) => endedWithPeriod(`Último uso: ${time}`),
  isLate: (by) => endedWithPeriod(`Está atrasada. Debía actualizarse a más tardar el ${by}`),
  hasStopped:
    'Dejó de actualizarse, probablemente porque la suscripción se eliminó de la aplicación.',
  isDelayed: (by) =>
    `${endedWithPeriod(`Debía actualizarse a más tardar el ${by}`)} Un retraso como este todavía es normal.`,
  nextAround: (time) => endedWithPeriod(`Próxima actualización: alrededor del ${time}`),
  nextBy: (time) => endedWithPeriod(`Próxima actualización: a más tardar el ${time}`),
  nextBetween: (from, to) => endedWithPeriod(`Próxima actualización: ${from} – ${to}`),
  everyMinutes: (count) =>
    plural(count, {
      one: 'Suele actualizarse más o menos cada minuto.',
      other: `Suele actualizarse más o menos cada ${count} minutos.`,
    }),
  everyHours: (count) =>
    plural(count, {
      one: 'Suele actualizarse más o menos cada hora.',
      other: `Suele actualizarse más o menos cada ${count} horas.`,
    }),
  everyDays: (count) =>
    plural(count, {
      one: 'Suele actualizarse más o menos cada día.',
      other: `Suele actualizarse más o menos cada ${count} días.`,
    }),
  canReach: '¿Pueden las aplicaciones abrir la dirección?',
  isReachable:
    'Los servidores de Google leyeron este enlace hace poco, así que la dirección se puede abrir desde internet.',
  aboutCheck:
    'Feedhouse puede abrir esta dirección como lo hacen los teléfonos y los servicios de calendario, y verificar https, el certificado, las redirecciones, las páginas de inicio de sesión, el contenido y su tamaño.',
  check: 'Verificar la dirección',
  checkAgain: 'Verificar de nuevo',
  isBusy:
    'En este momento se están verificando muchas direcciones. Inténtelo de nuevo en un minuto.',
  canRead: 'Las aplicaciones pueden leer esta dirección.',
  cannotRead: 'Algunas aplicaciones no pueden leer esta dirección.',
  checked: (moment) => endedWithPeriod(`Verificada: ${moment}`),
  states: { ok: 'OK', note: 'Nota', fault: 'Problema' },
  titled: (title, problem) => `${title}: ${problem}`,
  passed: (count) => `Verificaciones superadas (${count})`,
  fromOwnMachine:
    'Feedhouse hizo esta verificación desde su propio equipo. Aun así, un firewall puede bloquear los teléfonos en otras redes.',
  warnings: {
    machine:
      'Esta dirección funciona solo en este equipo. Ponga en PUBLIC_URL la dirección que usan los teléfonos.',
    network:
      'Esta dirección funciona solo dentro de su propia red. Ponga en PUBLIC_URL la dirección que usan los teléfonos.',
    unencrypted:
      'Esta dirección no está cifrada: cualquiera que tenga acceso a la red puede leerla, y algunas aplicaciones de calendario la rechazan. Coloque un proxy https delante de Feedhouse y ponga en PUBLIC_URL la dirección https.',
  },
  apps: {
    Apple: {
      name: 'Calendario de Apple',
      habit: 'Según su configuración, se actualiza desde cada 15 minutos hasta una vez por semana.',
      steps: [
        'En el iPhone o iPad, abra la aplicación Calendario, toque Calendarios y deslice la lista hacia abajo. Así se actualizan todos los calendarios.',
        'En el iPhone o iPad, abra Configuración › Apps › Calendario › Cuentas de Calendario y, en la opción para obtener datos nuevos, elija Automáticamente o cada 15 minutos. En versiones anteriores está en Configuración › Calendario › Cuentas.',
        'En la Mac, abra Calendario y elija Visualización › Actualizar calendarios. Para que se actualice más a menudo, seleccione el calendario, abra su información en el menú Edición y cambie la actualización automática.',
      ],
    },
    Google: {
      name: 'Calendario de Google',
      habit: 'Se actualiza cada 8 a 24 horas; esto no se puede cambiar.',
      steps: [
        'Si puede, espere un día. El botón para volver a cargar la página del Calendario de Google no actualiza los calendarios a los que está suscrito.',
        'Si el cambio es urgente, abra calendar.google.com en una computadora, anule la suscripción en la configuración del calendario y vuelva a agregar la dirección en Otros calendarios + › Desde URL. Escriba ?again=1 al final de la dirección para que Google la considere nueva.',
        'Si aun así no se actualiza, verifique la dirección. Cuando Google no puede leer el calendario, conserva el contenido anterior y no muestra ningún aviso.',
      ],
    },
    Outlook: {
      name: 'Outlook',
      habit:
        'En la web se actualiza más o menos cada 3 horas y a veces solo una vez al día; en Windows, al abrirse y después cada 1 a 3 horas.',
      steps: [
        'En Outlook clásico para Windows, oprima F9. Outlook actualiza cada calendario una vez por hora como máximo, y solo mientras está abierto.',
        'Outlook en la web y el nuevo Outlook no tienen un botón para esto. Elimine el calendario y vuelva a agregar su dirección, con ?again=1 al final, en Agregar calendario › Suscribirse desde la web.',
      ],
    },
    Thunderbird: {
      name: 'Thunderbird',
      habit:
        'Se actualiza cada 30 minutos mientras está abierto, a menos que la configuración del calendario indique otra cosa.',
      steps: [
        'Abra Thunderbird, vaya al calendario y haga clic en Sincronizar.',
        'Haga clic derecho en el calendario y abra sus propiedades. Verifique que esté activado, porque Thunderbird desactiva los calendarios después de un error, y elija con qué frecuencia se actualiza.',
      ],
    },
    Android: {
      name: 'Android (ICSx⁵ o una aplicación parecida)',
      habit:
        'Se actualiza una vez al día, a menos que la configuración de la aplicación indique otra cosa.',
      steps: [
        'Abra ICSx⁵ y deslice la lista hacia abajo. Así se actualizan todos sus calendarios.',
        'Abra el menú de ICSx⁵ y elija un intervalo de sincronización más corto.',
        'En la configuración de Android, permita que ICSx⁵ funcione en segundo plano: abra la aplicación ICSx⁵ en la lista de aplicaciones y quite las restricciones de batería.',
      ],
    },
    'other calendar': {
      name: 'Otra aplicación de calendario',
      habit: 'Según la aplicación, se actualiza desde cada hora hasta una vez por semana.',
      steps: [
        'Proton Calendar se actualiza cada 4 a 16 horas, Home Assistant una vez al día y Nextcloud según lo que haya elegido su administrador, con una semana como máximo. Si puede, espere ese tiempo.',
        'Fastmail se detiene después de cinco errores seguidos: vuelva a activarlo en la configuración de los calendarios.',
        'En los demás casos, elimine el calendario de la aplicación y vuelva a agregar su dirección.',
      ],
    },
    reader: {
      name: 'Lector RSS',
      habit: 'Se actualiza cada 15 a 60 minutos.',
      steps: [
        'Actualice el canal en el lector. Los lectores instalados en un teléfono o una computadora se actualizan solo mientras están abiertos.',
        'En la lista de canales del lector, vea si hay algún error, porque muchos dejan de actualizar un canal después de varios errores. Luego elimine el canal y agréguelo de nuevo.',
      ],
    },
    screen: {
      name: 'Pantalla',
      habit: 'Según su configuración, se actualiza desde cada pocos minutos hasta una vez al día.',
      steps: [
        'Verifique que la pantalla esté encendida y conectada a la red, y reinicie su reproductor.',
        'En la configuración del reproductor, elija con qué frecuencia se actualiza. En Xibo es el intervalo de actualización del widget.',
      ],
    },
    other: { name: 'Navegador o programa desconocido', habit: '', steps: [] },
  },
}
