const eventProperties = new Set(
  (
    'UID SEQUENCE DTSTAMP DTSTART DTEND SUMMARY TRANSP LOCATION DESCRIPTION STATUS CREATED ' +
    'LAST-MODIFIED CATEGORIES X-MICROSOFT-CDO-ALLDAYEVENT X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT'
  ).split(' '),
)

const required = ['UID', 'DTSTAMP', 'DTSTART', 'SUMMARY']

/** What is wrong with the bytes of a published calendar by RFC 5545; nothing, for a good one. */
export function lintCalendar(bytes: Buffer): readonly string[] {
  return [...lintBytes(bytes), ...lintEvents(unfoldedLines(bytes))]
}

function lintBytes(bytes: Buffer): readonly string[] {
  const text = bytes.toString('utf8')
  const physicalLines = text.split('\r\n')
  const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/ // oxlint-disable-line no-control-regex
  return [
    !text.startsWith('BEGIN:VCALENDAR\r\n') && 'does not begin with VCALENDAR',
    !text.endsWith('END:VCALENDAR\r\n') && 'does not end with END:VCALENDAR and CRLF',
    !Buffer.from(text).equals(bytes) && 'is not UTF-8',
    text.includes('\ufffd') && 'has lost characters',
    /(?:^|[^\r])\n|\r(?!\n)/.test(text) && 'has a line end that is not CRLF',
    control.test(text) && 'has a control character',
    physicalLines.some((line) => Buffer.byteLength(line) > 75) && 'has a line over 75 octets',
    physicalLines.slice(0, -1).includes('') && 'has an empty line',
  ].filter((fault) => fault !== false)
}

function lintEvents(lines: readonly string[]): readonly string[] {
  const faults: string[] = []
  const uids = new Set<string>()
  for (const event of eventsOf(lines)) {
    const names = event.map((line) => line.split(/[:;]/)[0] ?? '')
    for (const name of required) {
      if (names.filter((other) => other === name).length !== 1) faults.push(`${name} is not once`)
    }
    for (const name of names) {
      if (!eventProperties.has(name)) faults.push(`${name} is not expected`)
    }
    const uid = event.find((line) => line.startsWith('UID:')) ?? ''
    if (uids.has(uid)) faults.push(`${uid} is there twice`)
    uids.add(uid)
    for (const line of event) {
      const [, value = ''] = /^(?:SUMMARY|LOCATION|DESCRIPTION):(.*)$/.exec(line) ?? []
      if (/(?:^|[^\\])(?:\\\\)*[;,]/.test(value)) faults.push(`not escaped: ${line}`)
    }
  }
  return faults
}

function unfoldedLines(bytes: Buffer): readonly string[] {
  return bytes.toString('utf8').replaceAll('\r\n ', '').split('\r\n')
}

function eventsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const starts = lines.flatMap((line, index) => (line === 'BEGIN:VEVENT' ? [index] : []))
  return starts.map((start) => lines.slice(start + 1, lines.indexOf('END:VEVENT', start)))
}
