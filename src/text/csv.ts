/** A row of a spreadsheet. Numbers start at 1 and count blank rows, as spreadsheets do. */
export type CsvRow = { readonly number: number; readonly cells: readonly string[] }

export type CsvReading =
  | { readonly ok: true; readonly rows: readonly CsvRow[] }
  | { readonly ok: false; readonly row: number; readonly fault: 'textAfterQuote' | 'unclosedQuote' }

/**
 * Reads comma-separated values (RFC 4180) with any line endings, or tab-separated values, which are
 * the format copied from spreadsheets. Trims cells and skips blank rows.
 */
export function readCsv(text: string): CsvReading {
  const [firstLine = ''] = text.split(/[\r\n]/, 1)
  const separator = firstLine.includes('\t') ? '\\t' : ','
  const cell = new RegExp(
    `[ ]*(?:"([^"]*(?:""[^"]*)*)"[ ]*|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\r|\\n|$)`,
    'y',
  )
  const rows: CsvRow[] = []
  let number = 1
  let cells: string[] = []
  for (;;) {
    const start = cell.lastIndex
    const match = cell.exec(text)
    const [, quoted, plain = '', end = ''] = match ?? []
    if (!match || (quoted === undefined && plain.startsWith('"'))) {
      const isClosed = text.slice(start).trimStart().slice(1).includes('"')
      return { ok: false, row: number, fault: isClosed ? 'textAfterQuote' : 'unclosedQuote' }
    }
    cells.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim())
    if (end === ',' || end === '\t') continue
    if (cells.some((each) => each !== '')) rows.push({ number, cells })
    if (end === '') return { ok: true, rows }
    number += 1
    cells = []
  }
}

/** Renders rows as comma-separated values (RFC 4180) that spreadsheets read as text. */
export function renderCsv(rows: readonly (readonly string[])[]): string {
  // Without a byte order mark, Excel does not read UTF-8.
  return `\uFEFF${rows.map((cells) => `${cells.map(cellFrom).join(',')}\r\n`).join('')}`
}

/**
 * Quotes a cell. Text that a spreadsheet would evaluate as a formula starts with an apostrophe,
 * except for international phone numbers, which lose their hyphens instead. Some editions of Excel
 * treat the full-width characters of East Asian text like ASCII ones.
 */
function cellFrom(text: string): string {
  if (/^\+\d[\d ().-]*$/.test(text)) return text.replace('(0)', '').replaceAll(/[ ().-]/g, '')
  const harmless = /^[=+\-@＝＋－＠\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
