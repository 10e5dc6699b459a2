import { spawn } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { brotliDecompressSync } from 'node:zlib'

export type Engine = {
  /** Package and version that contains the browser, and its path in the package. */
  readonly from: string
  readonly path: string
}

export type OldBrowser = AsyncDisposable & {
  readonly exceptions: readonly string[]
  readonly open: (url: string) => Promise<void>
  /** Evaluates an expression in the page. */
  readonly evaluate: (expression: string) => Promise<unknown>
  readonly screenshot: (path: string) => Promise<void>
  /** Sends a command of the debugging protocol. */
  readonly send: (method: string, params?: object) => Promise<unknown>
}

type Message = {
  readonly id?: number
  readonly method?: string
  readonly params?: {
    readonly exceptionDetails?: { readonly exception?: { readonly description: string } }
  }
  readonly result?: { readonly result?: { readonly value: unknown }; readonly data?: string }
}

/** Decompresses a browser from its package, and returns its path. */
export function unpacked(folder: string, { path }: Engine): string {
  const browser = join(folder, 'browser')
  writeFileSync(browser, brotliDecompressSync(readFileSync(join(folder, 'package', path))))
  chmodSync(browser, 0o755)
  return browser
}

/** Starts a browser that no library supports any more, over its debugging protocol. */
export async function startOldBrowser(browser: string, folder: string): Promise<OldBrowser> {
  const flags =
    '--headless --no-sandbox --no-zygote --single-process --disable-gpu --disable-dev-shm-usage'
  const child = spawn(browser, [
    ...flags.split(' '),
    '--remote-debugging-port=0',
    '--window-size=1280,720',
    `--user-data-dir=${join(folder, 'profile')}`,
  ])
  const port = await debuggingPort(createInterface(child.stderr))
  const socket = new WebSocket(await pageAddress(port))
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const waiting = new Map<number, (message: Message) => void>()
  const exceptions: string[] = []
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.method === 'Runtime.exceptionThrown') {
      exceptions.push(message.params?.exceptionDetails?.exception?.description ?? 'unknown')
    }
    waiting.get(message.id ?? -1)?.(message)
  })
  let last = 0
  function send(method: string, params: object = {}): Promise<Message> {
    const id = (last += 1)
    const { promise, resolve } = Promise.withResolvers<Message>()
    waiting.set(id, resolve)
    socket.send(JSON.stringify({ id, method, params }))
    return promise
  }
  await send('Runtime.enable')
  return {
    exceptions,
    send,
    open: async (url) => void (await send('Page.navigate', { url })),
    async evaluate(expression) {
      const { result } = await send('Runtime.evaluate', { expression, returnByValue: true })
      return result?.result?.value
    },
    async screenshot(path) {
      const { result } = await send('Page.captureScreenshot')
      writeFileSync(path, Buffer.from(result?.data ?? '', 'base64'))
    },
    async [Symbol.asyncDispose]() {
      socket.close()
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** The browser may open its page after its debugging port. */
async function pageAddress(port: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/json`)
  const targets = (await response.json()) as { type: string; webSocketDebuggerUrl: string }[]
  const page = targets.find(({ type }) => type === 'page')
  return page?.webSocketDebuggerUrl ?? pageAddress(port)
}

async function debuggingPort(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [, port] = /listening on ws:\/\/[^:]+:(\d+)/.exec(line) ?? []
    if (port !== undefined) return port
  }
  throw new Error('the browser has ended')
}
