import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type RawAnswer = ReturnType<typeof readAnswer>

/** Sends a request unchanged and reads until the connection ends. */
export async function exchange(origin: string, request: string): Promise<RawAnswer> {
  return readAnswer(await send(origin, request))
}

/** Requests a URL on a new connection. */
export function exchangeUrl(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<RawAnswer> {
  return exchange(url, requestText(url.slice(new URL(url).origin.length), { headers, method }))
}

/** Sends text and returns everything received on the connection. */
export async function send(origin: string, text: string): Promise<Buffer> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(text)
  return buffer(socket)
}

/** Returns a request with `Connection: close`. */
export function requestText(
  target: string,
  {
    method = 'GET',
    headers = {},
    version = '1.1',
  }: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly version?: '1.0' | '1.1'
  } = {},
): string {
  const all = { ...(version === '1.1' ? { Host: 'feeds.example' } : {}), ...headers }
  const lines = Object.entries({ ...all, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return [`${method} ${target} HTTP/${version}`, ...lines, '', ''].join('\r\n')
}

/** Reads a response exactly as it was received over the socket. */
export function readAnswer(bytes: Buffer) {
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  /** Header lines, except for the status line and the date. */
  const head = lines.filter((line) => !/^date:/i.test(line))
  const headers = head.map((line) => {
    const [name = '', ...value] = line.split(': ')
    return [name.toLowerCase(), value.join(': ')]
  })
  return {
    status: Number(first.split(' ')[1]),
    head,
    /** Headers by lower-case name. */
    headers: Object.fromEntries(headers) as Readonly<Record<string, string>>,
    body: bytes.subarray(end + 4),
  }
}
