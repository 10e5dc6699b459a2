import { pluralIn } from '../../../../records/messages.ts'
import type { DoctorMessages } from './en.ts'

const plural = pluralIn('es')

export const spanish: DoctorMessages = {
  title: 'Aplicaciones que usan este enlace',
  about: 'Cuándo se actualizaron por última vez y si pueden abrir la dirección.',
  areUnknown:
    'En este momento no se pueden mostrar las actualizaciones. Vuelva a intentarlo en un momento.',
  noApps:
    'Todavía ninguna aplicación ha usado este enlace. Después de suscribirse, su aplicación aparecerá aquí en un minuto. Si no aparece, compruebe la dirección.',
  aboutTimes: (timeZone) =>
    `Una aplicación muestra los cambios solo después de actualizarse. Las horas están en la zona horaria ${timeZone}.`,
  late: 'Atrasada',
  ifStillUsed: 'Si todavía la usa',
  ifMissing: 'Si faltan cambios',
  lastRefreshed: (time) => `Última actualización: ${time}.`,
  lastUsed: (time) => `Último uso: ${time}.`,
  isLate: (by) => `Está atrasada. Debía actualizarse a más tardar: ${by}.`,
  hasStopped:
    'Dejó de actualizarse, probablemente porque la suscripción se eliminó de la aplicación.',
  isDelayed: (by) =>
    `Debía actualizarse a más tardar: ${by}. Un retraso como este todavía es normal.`,
  nextAround: (time) => `Próxima actualización, aproximadamente: ${time}.`,
  nextBy: (time) => `Próxima actualización, a más tardar: ${time}.`,
  nextBetween: (from, to) => `Próxima actualización, entre: ${from} y ${to}.`,
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
    'Feedhouse puede abrir esta dirección como lo hacen los teléfonos y los servicios de calendario, y comprobar https, el certificado, las redirecciones, las páginas de inicio de sesión, el contenido y su tamaño.',
  check: 'Comprobar la dirección',
  checkAgain: 'Comprobar de nuevo',
  isBusy:
    'En este momento se están comprobando muchas direcciones. Vuelva a intentarlo en un minuto.',
  canRead: 'Las aplicaciones pueden leer esta dirección.',
  cannotRead: 'Algunas aplicaciones no pueden leer esta dirección.',
  checked: (moment) => `Comprobada: ${moment}.`,
  states: { ok: 'OK', note: 'Nota', fault: 'Problema' },
  passed: (count) => `Comprobaciones superadas (${count})`,
  fromOwnMachine:
    'Feedhouse hizo esta comprobación desde su propio equipo. Aun así, un firewall puede bloquear los teléfonos en otras redes.',
  warnings: {
    machine:
      'Esta dirección funciona solo en este equipo. Ponga en PUBLIC_URL la dirección que usan los teléfonos.',
    network:
      'Esta dirección funciona solo dentro de su propia red. Ponga en PUBLIC_URL la dirección que usan los teléfonos.',
    unencrypted:
      'Esta dirección no está cifrada: cualquiera que esté en el trayecto de la red puede leerla, y algunas aplicaciones de calendario la rechazan. Coloque un proxy https delante de Feedhouse y ponga en PUBLIC_URL la dirección https.',
  },
  apps: {
    Apple: {
      name: 'Calendario de Apple',
      habit: 'Se actualiza de cada 15 minutos a una vez por semana, según sus ajustes.',
      steps: [
        'En el iPhone o iPad, abra la aplicación Calendario, toque Calendarios y deslice la lista hacia abajo. Así se actualizan todos los calendarios.',
        'En el iPhone o iPad, abra Configuración › Apps › Calendario › Cuentas de Calendario y, en la opción para obtener datos nuevos, elija Automáticamente o cada 15 minutos. En versiones anteriores está en Configuración › Calendario › Cuentas.',
        'En la Mac, abra Calendario y elija Visualización › Actualizar calendarios. Para que se actualice más a menudo, seleccione el calendario, abra su información en el menú Edición y cambie la actualización automática.',
      ],
    },
    Google: {
      name: 'Calendario de Google',
      habit: 'Se actualiza cada 8 a 24 horas, lo que no se puede cambiar.',
      steps: [
        'Si puede, espere un día. El botón para volver a cargar del Calendario de Google no actualiza los calendarios suscritos.',
        'Si el cambio es urgente, abra calendar.google.com en una computadora, anule la suscripción en la configuración del calendario y vuelva a agregar la dirección en Otros calendarios + › Desde URL. Escriba ?again=1 al final de la dirección para que Google la considere nueva.',
        'Si sigue atrasada, compruebe la dirección. Google conserva el contenido anterior y no avisa cuando no puede leer el calendario.',
      ],
    },
    Outlook: {
      name: 'Outlook',
      habit:
        'En la web se actualiza más o menos cada 3 horas y a veces solo una vez al día; en Windows, al abrirse y después cada 1 a 3 horas.',
      steps: [
        'En Outlook clásico para Windows, oprima F9. Actualiza cada calendario como máximo una vez por hora y solo mientras está abierto.',
        'Outlook en la web y el nuevo Outlook no tienen un botón para esto. Elimine el calendario y vuelva a agregar su dirección, con ?again=1 al final, en Agregar calendario › Suscribirse desde la web.',
      ],
    },
    Thunderbird: {
      name: 'Thunderbird',
      habit:
        'Se actualiza cada 30 minutos mientras está abierto, a menos que los ajustes del calendario indiquen otra cosa.',
      steps: [
        'Abra Thunderbird, vaya al calendario y haga clic en Sincronizar.',
        'Haga clic derecho en el calendario y abra sus propiedades. Compruebe que esté activado, porque Thunderbird desactiva los calendarios después de un error, y elija con qué frecuencia se actualiza.',
      ],
    },
    Android: {
      name: 'Android (ICSx⁵ o una aplicación parecida)',
      habit:
        'Se actualiza una vez al día, a menos que los ajustes de la aplicación indiquen otra cosa.',
      steps: [
        'Abra ICSx⁵ y deslice la lista hacia abajo. Así se actualizan todos sus calendarios.',
        'Abra el menú de ICSx⁵ y elija un intervalo de sincronización más corto.',
        'En los ajustes de Android, permita que ICSx⁵ funcione en segundo plano: abra la aplicación ICSx⁵ en la lista de aplicaciones y quite las restricciones de batería.',
      ],
    },
    'other calendar': {
      name: 'Otra aplicación de calendario',
      habit: 'Se actualiza de cada hora a una vez por semana, según la aplicación.',
      steps: [
        'Proton Calendar se actualiza cada 4 a 16 horas, Home Assistant una vez al día y Nextcloud según lo que haya elegido su administrador, como mínimo una vez por semana. Si puede, espere ese tiempo.',
        'Fastmail se detiene después de cinco errores seguidos: vuelva a activar el calendario en los ajustes de calendarios.',
        'En los demás casos, elimine el calendario de la aplicación y vuelva a agregar su dirección.',
      ],
    },
    reader: {
      name: 'Lector de noticias',
      habit: 'Se actualiza cada 15 a 60 minutos.',
      steps: [
        'Actualice el canal en el lector. Los lectores de un teléfono o una computadora se actualizan solo mientras están abiertos.',
        'En la lista de canales del lector, vea si hay un error, porque muchos se detienen después de varios errores. Después elimine el canal y agréguelo de nuevo.',
      ],
    },
    screen: {
      name: 'Pantalla',
      habit: 'Se actualiza de cada pocos minutos a una vez al día, según sus ajustes.',
      steps: [
        'Compruebe que la pantalla esté encendida y conectada a la red, y reinicie su reproductor.',
        'En los ajustes del reproductor, elija con qué frecuencia se actualiza. En Xibo es el intervalo de actualización del widget.',
      ],
    },
    other: { name: 'Navegador o programa desconocido', habit: '', steps: [] },
  },
}
