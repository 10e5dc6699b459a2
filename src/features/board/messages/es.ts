import type { ComposerMessages } from './en.ts'

export const spanish: ComposerMessages = {
  feedsUnavailable:
    'El contenido de esta pantalla no está disponible por el momento. Volverá automáticamente cuando el sitio web lo ofrezca de nuevo.',
  undrawable: {
    inScript: 'Título que no se puede mostrar aquí ({script})',
    otherwise: 'Título que no se puede mostrar aquí',
  },
  title: 'Nueva pantalla',
  intro:
    'Para un televisor, una tableta o un reproductor en la estación. Elija qué va a mostrar y abra la dirección en ese aparato.',
  show: 'Mostrar',
  heading: 'Encabezado',
  moreOptions: 'Más opciones',
  dutyAndFilters: 'Guardias y filtros',
  duty: 'De guardia, según estos calendarios',
  onlyTheseOf: (feed) => `${feed}: solo lo siguiente`,
  preview: 'Vista previa',
  wideScreen: 'Pantalla horizontal',
  uprightScreen: 'Pantalla vertical',
  showPreview: 'Mostrar la vista previa',
  previewTitle: 'Vista previa de la pantalla',
  address: 'Dirección para la pantalla',
  copy: (unseen) => `Copiar${unseen(' la dirección para la pantalla')}`,
  privateAddress:
    'Esta dirección es privada: la pantalla muestra lo que incluye el enlace de suscripción. Cree un enlace para cada pantalla; así podrá anularlos por separado.',
  qrCode: 'Código QR de la dirección para la pantalla',
  scan: 'Escanee el código con una tableta o con la aplicación del reproductor para abrir allí la dirección.',
  openHere: 'Abrir la pantalla aquí',
  pictures: {
    title: 'Como imagen, para papel electrónico y marcos digitales',
    epaper: 'Blanco y negro, 800 × 480 píxeles',
    frame: 'En color, 1280 × 800 píxeles',
  },
  noFeed: 'Elija al menos un calendario o un canal de noticias.',
  tooSmall: (inches, distance, { meters, feet }) =>
    `Una pantalla de ${inches} pulgadas es demasiado pequeña para leerla a ${distance} metros. El texto es lo más grande posible y se puede leer a una distancia de hasta ${meters} metros (${feet} pies). Elija una pantalla más grande o una distancia más corta.`,
  inches: (inches) => `${inches} pulgadas`,
  fields: {
    theme: {
      label: 'Tema',
      choices: { '': 'Oscuro', light: 'Claro', auto: 'Según el dispositivo' },
    },
    accent: {
      label: 'Color de énfasis',
      choices: {
        '': 'El color del sitio',
        b22222: 'Rojo',
        d2691e: 'Naranja',
        '2e8b57': 'Verde',
        '4169e1': 'Azul',
        '6a5acd': 'Morado',
      },
    },
    distance: {
      label: 'Se lee desde',
      choices: { '': '3 metros (10 pies)', 5: '5 metros (16 pies)', 10: '10 metros (33 pies)' },
    },
    inches: { label: 'Tamaño de la pantalla', choices: {} },
    rotate: { label: 'Segundos por página', choices: {} },
    changes: {
      label: 'Cambios en las últimas 24 horas',
      choices: { '': 'No se muestran', 1: 'Se muestran' },
    },
    lang: {
      label: 'Idioma',
      choices: {
        '': 'El idioma del sitio web',
        'en-US': 'Inglés (Estados Unidos)',
        'en-GB': 'Inglés (Reino Unido)',
        de: 'Alemán',
        es: 'Español',
        fr: 'Francés',
      },
    },
    qr: {
      label: 'Código QR para suscribirse',
      choices: { '': 'Se muestra en pantallas públicas', 0: 'No se muestra' },
    },
    motion: {
      label: 'Páginas',
      choices: { '': 'Cambian con una transición', 0: 'Cambian al instante' },
    },
  },
}
