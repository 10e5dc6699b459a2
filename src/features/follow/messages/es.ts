import type { FollowPageMessages } from './en.ts'

export const spanish: FollowPageMessages = {
  titled: (title, site) => `${title} – ${site}`,
  getEmail: 'Recibir correos',
  intro:
    'Entérese por correo electrónico de lo que viene. No necesita cuenta ni aplicación, y puede cancelar la suscripción cuando quiera.',
  introForLink:
    'Entérese por correo electrónico de lo que viene en sus calendarios. Puede cancelar la suscripción cuando quiera. También dejará de recibir correos cuando este enlace privado deje de funcionar.',
  address: 'Su dirección de correo electrónico',
  afterwards:
    'Primero recibirá un correo con un enlace para confirmar. Su dirección solo se usa para estos correos.',
  feeds: 'Contenido',
  times: 'Cuándo',
  kinds: {
    weekly: 'Cada semana',
    changes: 'Cuando algo cambie',
    tomorrow: 'El día antes de cada evento',
    emergency: 'En una emergencia',
  },
  day: 'Día',
  hour: 'Hora',
  choice: {
    weekly: (day, clock) => `Un correo semanal, cada ${day} (${clock})`,
    changes: 'Un correo cuando algo cambia o hay noticias',
    tomorrow: 'Un correo la tarde anterior a cada evento',
    emergency: 'Un correo en caso de emergencia',
    feeds: (titles) => `Solo sobre: ${titles}`,
    ownOnly: 'Solo sobre sus propios eventos',
  },
  ownIsIncluded: 'Sus propios eventos siempre se incluyen.',
  faults: {
    missing: 'Escriba su dirección de correo electrónico.',
    invalid:
      'Esta dirección de correo electrónico no es válida. Debe tener la forma nombre@example.org.',
    'too long': 'Una dirección de correo electrónico tiene como máximo 254 caracteres.',
    feeds: 'Elija al menos una opción.',
    times: 'Elija cuándo quiere recibir correos.',
  },
  isFull: 'En este momento se están suscribiendo demasiadas personas. Inténtelo más tarde.',
  requested: {
    title: 'Revise su correo',
    text: 'En unos minutos debería recibir un correo con un enlace para confirmar. Si no llega, búsquelo en la carpeta de correo no deseado. El enlace es válido durante tres días.',
    again: 'Usar otra dirección',
  },
  confirm: {
    title: '¿Quiere recibir estos correos?',
    text: (address) => `Se enviarán a ${address}.`,
    button: 'Sí, quiero recibirlos',
  },
  confirmed: {
    title: 'Suscripción confirmada',
    text: (address) => `Los correos se enviarán a ${address}.`,
    manage: 'Cambiar o cancelar',
  },
  manage: {
    title: 'Sus correos',
    text: (address) => `Se envían a ${address}.`,
    save: 'Guardar',
    saved: 'Su selección se ha guardado.',
    stored: 'Descargar sus datos',
  },
  end: {
    title: '¿Cancelar la suscripción?',
    text: (address) => `No se enviarán más correos a ${address}.`,
    deletes: 'Se borrarán su dirección y su selección.',
    button: 'Cancelar la suscripción',
  },
  ended: {
    title: 'Su suscripción se ha cancelado',
    text: 'Se han borrado su dirección y su selección.',
  },
  unknown: {
    title: 'Este enlace ya no funciona',
    text: 'Ha caducado, o su suscripción ya no está activa.',
  },
  device: {
    about: 'Avisarme de',
    kinds: {
      changes: 'Cambios y noticias',
      tomorrow: 'Eventos del día siguiente, la tarde anterior',
      emergency: 'Emergencias',
    },
    start: 'Activar los avisos',
    stop: 'Desactivar los avisos',
    turnedOn: 'Los avisos en este dispositivo están activados.',
    turnedOff: 'Los avisos en este dispositivo están desactivados.',
    failed: 'Algo salió mal. Inténtelo de nuevo más tarde.',
    blocked:
      'Su navegador bloquea los avisos de este sitio. Permítalos en su configuración y vuelva a cargar esta página.',
    unsupported:
      'Este navegador no puede mostrar avisos. Pruebe con Chrome, Edge, Firefox o Safari, fuera de una ventana privada.',
    homeScreen:
      'En iPhone y iPad, los avisos solo funcionan desde la pantalla de inicio: toque Compartir, elija “Agregar a inicio”, abra el sitio desde allí y vuelva a esta página.',
  },
}
