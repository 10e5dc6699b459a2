import { spawn } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'

export type Engine = {
  /** Package and version that contains the browser, and its path in the package. */
  readonly from: string
  readonly path: string
}

export type OldBrowser = AsyncDisposable & {
  readonly exceptions: string[]
  readonly open: (url: string) => Promise<void>
  /** Evaluates an expression in the page. */
  readonly evaluate: (expression: string) => Promise<unknown>
  /** Waits until an expression in the page is true, for at most a minute. */
  readonly until: (condition: string) => Promise<void>
  readonly screenshot: (path: string) => Promise<void>
  /** Sends a command of the debugging protocol. */
  readonly send: (method: string, params?: object) => Promise<Message>
  /** Lets time pass in the page, as fast as its timers and requests allow. */
  readonly pass: (ms: number) => Promise<void>
}

export type Message = {
  readonly id?: number
  readonly method?: string
  readonly params?: {
    readonly exceptionDetails?: { readonly exception?: { readonly description: string } }
  }
  readonly result?: {
    readonly result?: { readonly value: unknown }
    readonly data?: string
    /** Of the heap, in bytes. */
    readonly usedSize?: number
    /** Of a script. */
    readonly identifier?: string
  }
}

const pollMs = 50
/** An emergency text must be on every screen within a minute. A poll takes a moment. */
const withinMs = 65_000

/** Decompresses a browser from its package, and returns its path. */
export function unpacked(folder: string, { path }: Engine): string {
  const browser = join(folder, 'browser')
  writeFileSync(browser, brotliDecompressSync(readFileSync(join(folder, 'package', path))))
  chmodSync(browser, 0o755)
  return browser
}

/** Starts a browser that no library supports any more, over its debugging protocol. */
export async function startOldBrowser(browser: string, folder: string): Promise<OldBrowser> {
  // With a single process, Chromium 92 sometimes never responds.
  const flags = '--headless --no-sandbox --disable-gpu --disable-dev-shm-usage'
  const child = spawn(browser, [
    ...flags.split(' '),
    '--remote-debugging-port=0',
    '--window-size=1280,720',
    `--user-data-dir=${join(folder, 'profile')}`,
  ])
  const port = await debuggingPort(createInterface(child.stderr))
  // The browser waits while nobody reads its messages.
  child.stderr.resume()
  const socket = new WebSocket(await pageAddress(port))
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const waiting = new Map<number, (message: Message) => void>()
  const exceptions: string[] = []
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.method === 'Runtime.exceptionThrown') {
      exceptions.push(message.params?.exceptionDetails?.exception?.description ?? 'unknown')
    }
    if (message.method === 'Emulation.virtualTimeBudgetExpired') passed?.()
    waiting.get(message.id ?? -1)?.(message)
  })
  let last = 0
  let passed: (() => void) | undefined
  function send(method: string, params: object = {}): Promise<Message> {
    const id = (last += 1)
    const { promise, resolve } = Promise.withResolvers<Message>()
    waiting.set(id, resolve)
    socket.send(JSON.stringify({ id, method, params }))
    return promise
  }
  await send('Runtime.enable')
  async function evaluate(expression: string) {
    const { result } = await send('Runtime.evaluate', { expression, returnByValue: true })
    return result?.result?.value
  }
  return {
    exceptions,
    send,
    evaluate,
    async until(condition) {
      const endsAt = performance.now() + withinMs
      while ((await evaluate(condition)) !== true) {
        const why = [condition, ...exceptions].join('\n')
        if (performance.now() > endsAt) throw new Error(`This did not become true: ${why}`)
        await sleep(pollMs)
      }
    },
    open: async (url) => void (await send('Page.navigate', { url })),
    async pass(ms) {
      const expired = new Promise<void>((resolve) => (passed = resolve))
      const policy = 'pauseIfNetworkFetchesPending'
      await send('Emulation.setVirtualTimePolicy', { policy, budget: ms })
      await expired
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

type Target = { readonly type: string; readonly webSocketDebuggerUrl: string }

/** Waits until the browser has opened its page. */
async function pageAddress(port: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/json`)
  const targets = (await response.json()) as readonly Target[]
  const page = targets.find(({ type }) => type === 'page')
  if (page) return page.webSocketDebuggerUrl
  await sleep(pollMs)
  return pageAddress(port)
}

async function debuggingPort(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [, port] = /listening on ws:\/\/[^:]+:(\d+)/.exec(line) ?? []
    if (port !== undefined) return port
  }
  throw new Error('the browser has ended')
}
