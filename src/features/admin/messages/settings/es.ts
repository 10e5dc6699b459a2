import { pluralIn } from '../../../../records/messages.ts'
import type { SettingsMessages } from './en.ts'

const plural = pluralIn('es')

export const spanish: SettingsMessages = {
  title: 'Configuración',
  about:
    'Lo que se ve en las páginas y el contenido que cualquier persona puede leer. Los cambios se aplican en segundos. Los valores en gris son los predeterminados: escriba un valor para reemplazar uno, o deje el campo vacío para conservarlo.',
  saved: 'Los cambios se guardaron y se aplican en segundos.',
  fields: {
    name: 'Nombre de la organización',
    place: 'Ciudad y estado',
    color:
      'Color de los botones y enlaces: un nombre en inglés, como firebrick, o seis dígitos hexadecimales, como b3261e',
    logo: 'URL https del logotipo, en lugar de subir un archivo',
    language: 'Idioma del sitio web',
    fresh: 'Segundos entre lecturas del sitio web, de 60 a 86400',
  },
  default: (value) => `Valor predeterminado: ${value}`,
  none: 'sin definir',
  startedLogo: 'el logotipo con el que se inició Feedhouse',
  initials: 'las iniciales',
  startedPlaces: (count) =>
    plural(count, {
      one: 'el lugar con el que se inició Feedhouse',
      other: `los ${count} lugares con los que se inició Feedhouse`,
    }),
  chooseColor: 'Elegir un color',
  variants: { light: 'Claro', dark: 'Oscuro' },
  contrast: (variant, contrast) => `${variant}: contraste de ${contrast} a 1`,
  buttons: { light: 'Botón, claro', dark: 'Botón, oscuro' },
  upload: 'Logotipo: una imagen cuadrada PNG, JPEG, WebP o GIF, de al menos 512 píxeles de ancho',
  logoKept: 'Se conserva el logotipo que eligió. Guarde para usarlo.',
  logo: 'Logotipo',
  removeLogo: 'Quitar el logotipo subido',
  publicFeeds: 'Contenido público',
  aboutPublicFeeds:
    'Cualquier persona puede leer el contenido público. Para lo demás se necesita un enlace de suscripción.',
  onlyThese: 'Solo lo siguiente:',
  more: 'Más opciones',
  places:
    'Lugares en el mapa: uno por línea, con el nombre que usa el sitio web, la dirección y la posición',
  placeExample: 'Estación 1 | 12 Main Street, Cedar Hollow, NY 10001 | 42.123456, -74.2',
  databases: 'Publicar el contenido de bases de datos propias',
  otherInSitesFile:
    'Las demás opciones, como el sitio web, los límites de llamadas y la contraseña de esta página, están en el archivo de sitios. Se aplican cuando se cambia el archivo.',
  otherInEnvironment:
    'Las demás opciones, como el sitio web, los límites de llamadas y la contraseña de esta página, son variables de entorno. Se aplican cuando se reinicia Feedhouse.',
  save: 'Guardar',
  faults: {
    name: () => 'El nombre debe ser una sola línea de 100 caracteres como máximo.',
    place: () =>
      'El lugar debe ser una sola línea de 60 caracteres como máximo, como Cedar Hollow, NY.',
    color: () =>
      'El color debe ser un código de seis dígitos hexadecimales, como b3261e, o un nombre en inglés, como firebrick.',
    logo: () => 'El logotipo debe ser una URL https de una imagen PNG, JPEG, WebP o GIF.',
    language: () => 'El idioma debe ser un código, como en-US, es-PR o fr-CA.',
    publicFeeds: () => 'Una de las opciones del contenido público no existe.',
    fresh: () => 'El intervalo debe ser un número entero de 60 a 86400.',
    places: () => 'Hay demasiados lugares, o su texto es demasiado largo.',
    invisible: (field) =>
      `Este campo contiene un carácter invisible: “${field}”. Escriba el texto en lugar de pegarlo.`,
    picture:
      'El logotipo no es una imagen que se pueda usar. Elija un archivo PNG, JPEG, WebP o GIF.',
    changed:
      'Otra persona cambió la configuración después de que usted abrió esta página; no se guardó nada. Revise sus valores y guarde de nuevo para reemplazar los otros cambios.',
  },
  placeFaults: {
    line: (line, name, fault) =>
      `Lugares, línea ${line}${name === undefined ? '' : ` (${name})`}: ${fault}.`,
    parts: () => 'debe tener un nombre, una dirección y una posición, separados con |',
    name: () => 'el nombre debe ser una sola línea de 1 a 200 caracteres',
    address: () => 'la dirección debe ser una sola línea de 1 a 500 caracteres',
    latitude: () => 'la latitud debe ser un número de -90 a 90',
    longitude: () => 'la longitud debe ser un número de -180 a 180',
    duplicate: () => 'el nombre está repetido',
  },
}
