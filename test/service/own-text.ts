import { Parser } from 'htmlparser2'
import { pseudoLanguage } from '../../src/records/messages.ts'
import type { Dataset } from '../../src/sandbox/resources/resources.ts'

/*
 * Finds Feedhouse's own text that is not translated. The site is in the pseudo language, which puts
 * translated text in ⟦⟧, and all text from the website is in Cyrillic. Any other text in Latin letters
 * is Feedhouse's, except for codes and text from Intl.
 */

/** Fields with codes, file names or addresses. */
const codeFields = new Set(['extension', 'fileName', 'url', 'embedCode', 'deptId', 'website'])
const codePaths = /^(?:databases\.fields\.(?:name|type)|training\.type|members\.phone\dType)$/

const tagsAndAddresses = /<[^>]*>|&[#\w]+;|https?:\S+|\S+@\S+|\{[^}]*\}/

/** Returns the records with their text in Cyrillic. */
export function inForeignLetters(records: Dataset): Dataset {
  return Object.fromEntries(
    Object.entries(records).map(([name, value]) => [name, foreignValue(value, name)]),
  ) as Dataset
}

function foreignValue(value: unknown, path: string): unknown {
  if (typeof value === 'string') return codePaths.test(path) ? value : foreignText(value)
  if (Array.isArray(value)) return value.map((each) => foreignValue(each, path))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      codeFields.has(key) ? each : foreignValue(each, `${path}.${key}`),
    ]),
  )
}

/** Replaces Latin letters outside of tags and addresses. */
export function foreignText(text: string): string {
  if (text.startsWith('/')) return text
  return text.replaceAll(new RegExp(`${tagsAndAddresses.source}|[A-Za-z]`, 'g'), (found) => {
    if (found.length > 1) return found
    const [latin, cyrillic] = found < 'a' ? ['A', 'А'] : ['a', 'а']
    const offset = found.charCodeAt(0) - latin.charCodeAt(0)
    return String.fromCharCode(cyrillic.charCodeAt(0) + offset)
  })
}

const inline = new Set(
  'a abbr b br button cite code em i img kbd label mark s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
)

/** Elements with code, addresses or styles. */
const skipped = new Set(['script', 'style', 'code', 'pre', 'svg', 'kbd', 'samp', 'textarea'])

const readAttributes = ['title', 'alt', 'placeholder', 'label', 'aria-label', 'aria-description']

const readMeta =
  /^(?:description|application-name|apple-mobile-web-app-title|.*:(?:title|description|site_name|alt))$/

/** Returns the pieces of text on a page: blocks and attributes that people read, and data for scripts. */
export function textsInHtml(html: string): readonly string[] {
  const texts: string[] = []
  let block = ''
  let data: string | undefined
  let skipping = 0
  const isSkipped: boolean[] = []
  const flush = () => {
    texts.push(block)
    block = ''
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (inline.has(name)) block += ' '
      else flush()
      // Some messages for the webmaster exist only in English.
      isSkipped.push(skipped.has(name) || (name !== 'html' && attributes['lang'] === 'en'))
      if (isSkipped.at(-1)) skipping += 1
      if (name === 'script' && attributes['type']?.includes('json')) data = ''
      texts.push(...attributesIn(name, attributes))
    },
    ontext(text) {
      if (data !== undefined) data += text
      else if (skipping === 0) block += text
    },
    onclosetag(name) {
      if (inline.has(name)) block += ' '
      else flush()
      if (isSkipped.pop()) skipping -= 1
      if (name !== 'script' || data === undefined) return
      texts.push(...textsInJson(data))
      data = undefined
    },
  })
  parser.end(html)
  flush()
  return texts
}

function attributesIn(name: string, attributes: Readonly<Record<string, string>>) {
  const { type = '', value = '', content = '' } = attributes
  const about = attributes['name'] ?? attributes['property'] ?? ''
  return [
    ...readAttributes.map((attribute) => attributes[attribute] ?? ''),
    ...Object.entries(attributes)
      .filter(([attribute]) => attribute.startsWith('data-'))
      .flatMap(([, text]) =>
        /^[[{]/.test(text) ? textsInJson(text) : text.includes(' ') ? [text] : [],
      ),
    ...(name === 'meta' && readMeta.test(about) ? [content] : []),
    ...(name === 'input' && /^(?:submit|button)$/.test(type) ? [value] : []),
  ]
}

/** Keys of JSON Feed, manifests and boards with codes or addresses. */
const codeKeys =
  /^(?:@.*|id|version|lang|language|dir|url|.*_url|src|type|sizes|hash|key|display|scope)$/i

/** Returns the values in a JSON document that look like text: those with spaces or a capital letter. */
export function textsInJson(json: string): readonly string[] {
  const texts: string[] = []
  JSON.parse(json, (key, value: unknown) => {
    const isText = typeof value === 'string' && !codeKeys.test(key) && /\s|^[⟦A-Z]/.test(value)
    if (isText) texts.push(...(value.includes('<') ? textsInHtml(value) : [value]))
    return value
  })
  return texts
}

/** Elements of feeds with codes, addresses or times. */
const codeElements =
  /^(?:id|guid|link|updated|published|pubDate|lastBuildDate|language|ttl|docs|generator|url|uri|email|width|height|dc:date|media:.*)$/

/** Returns the pieces of text in a feed or an outline. */
export function textsInXml(xml: string): readonly string[] {
  const texts: string[] = []
  let text = ''
  const parser = new Parser(
    {
      onopentag(_name, attributes) {
        texts.push(...['title', 'text', 'label', 'term'].map((key) => attributes[key] ?? ''))
        text = ''
      },
      ontext: (more) => void (text += more),
      onclosetag(name) {
        if (!codeElements.test(name))
          texts.push(...(text.includes('<') ? textsInHtml(text) : [text]))
        text = ''
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return texts
}

const readProperties =
  /^(?:SUMMARY|DESCRIPTION|LOCATION|CATEGORIES|COMMENT|CONTACT|NAME|X-WR-CALNAME|X-WR-CALDESC|X-ALT-DESC|NOTE|TITLE)(?:;[^:]*)?:(.*)$/

/** Returns the texts in a calendar or vCard. */
export function textsInCalendar(text: string): readonly string[] {
  return text
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .flatMap((line) => readProperties.exec(line)?.[1] ?? [])
    .flatMap((value) => value.replaceAll(/\\([,;\\])/g, '$1').split(String.raw`\n`))
}

/** Returns the pieces of text in a response. */
export function textsIn(type: string, body: string): readonly string[] {
  if (type.includes('html')) return textsInHtml(body)
  if (type.includes('json')) return textsInJson(body)
  if (type.includes('xml') || type.includes('opml')) return textsInXml(body)
  if (type.includes('calendar') || type.includes('vcard')) return textsInCalendar(body)
  return type.includes('plain') ? body.split('\n') : []
}

/** Codes like `training:1`, in the form for choosing feeds. */
const codes = /\b[a-z]+:\d+\b/g

/** Names of products, formats and languages, which are the same in every language. */
const names =
  /\b(?:Feedhouse|RSS|Atom|JSON(?: Feed)?|vCard|CSV|PDF|DOCX|XLSX|Apple|Google|Outlook|Yahoo|Microsoft|Android|iPhone|iPad|Mac|ICSx|Feedly|Inoreader|NetNewsWire|WhatsApp|Facebook|English|Español|Français|Deutsch)\b/g

/** Returns a piece of text without translated text, addresses, names, and text from Intl. */
export function withoutTranslations(text: string): string {
  const parts = text.split(/([⟦⟧])/)
  let depth = 0
  let rest = ''
  for (const part of parts) {
    if (part === '⟦') depth += 1
    else if (part === '⟧') depth = Math.max(0, depth - 1)
    else if (depth === 0) rest += part
  }
  return rest
    .replaceAll(new RegExp(tagsAndAddresses.source, 'g'), ' ')
    .replaceAll(/\b[\w-]+(?:\.[\w-]+)+\S*/g, ' ')
    .replaceAll(codes, ' ')
    .replaceAll(names, ' ')
    .replaceAll(wordsOfIntl, ' ')
}

/** Returns the pieces that contain untranslated text, without duplicates. */
export function untranslated(texts: readonly string[]): readonly string[] {
  const found = texts.filter((text) => /[A-Za-z]{2}/.test(withoutTranslations(text)))
  return [...new Set(found.map((text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 120)))]
}

/** Matches names of months and weekdays, parts of the day, and time zones. */
const wordsOfIntl = intlWords()

function intlWords(): RegExp {
  // Each month, each weekday, and both halves of the day.
  const times = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, month + 1)).flatMap(
    (start) => [0, 1, 2, 3, 4, 5, 6].map((days) => start + days * 27 * 3_600_000),
  )
  const formats = (['short', 'long'] as const).map((month) =>
    Intl.DateTimeFormat(pseudoLanguage, {
      month,
      weekday: month,
      hour: 'numeric',
      timeZone: 'UTC',
    }),
  )
  const words = times.flatMap((time) =>
    formats.flatMap((format) => format.formatToParts(time).map(({ value }) => value)),
  )
  const unique = [...new Set(words.filter((word) => /^[A-Za-z]{2}/.test(word)))]
  return new RegExp(String.raw`\b(?:${unique.join('|')})\b\.?|[A-Z]\w+/[A-Z]\w+`, 'g')
}
