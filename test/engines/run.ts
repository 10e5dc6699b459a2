/*
 * Opens a board in the old browsers of televisions, sticks and players. Each must show the time, get an
 * answer from the service, and show an emergency text within a minute of real time. Needs a package
 * registry and takes about three minutes. Linux on x64 only.
 *
 *   npm run engines [FOLDER]    also writes screenshots to the folder
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { datasetEvents } from '../../bench/running/dataset.ts'
import { startService, type RunningService } from '../../bench/running/service.ts'
import { startOldBrowser, unpacked, type Engine, type OldBrowser } from './old-browser.ts'

const engines: readonly Engine[] = [
  { from: 'chrome-aws-lambda@1.5.0', path: 'bin/chromium-69.0.3452.0.br' },
  { from: 'chrome-aws-lambda@2.1.1', path: 'bin/chromium.br' },
  { from: '@sparticuz/chromium@92.0.0', path: 'bin/chromium.br' },
]

const password = 'correct horse battery staple'
/** An emergency text must be on every screen within a minute. A poll takes a moment. */
const withinMs = 65_000
const pollMs = 250

const [screenshots] = process.argv.slice(2)
const work = mkdtempSync(join(tmpdir(), 'feedhouse-engines-'))
try {
  await using service = await startService(datasetEvents(50), {
    settings: { ADMIN_PASSWORD: password },
  })
  for (const [index, engine] of engines.entries()) {
    const folder = join(work, String(index))
    mkdirSync(folder)
    const pack = ['pack', engine.from, '--silent', '--pack-destination', folder]
    const archive = execFileSync('npm', pack, { encoding: 'utf8' }).trim()
    execFileSync('tar', ['-xzf', join(folder, archive), '-C', folder])
    await using browser = await startOldBrowser(unpacked(folder, engine), folder)
    await check(browser, service, `Engine ${index}`)
    const version = await browser.evaluate(`/Chrome\\/\\d+/.exec(navigator.userAgent)[0]`)
    if (screenshots !== undefined) await browser.screenshot(join(screenshots, `${index}.png`))
    process.stdout.write(`${String(version)}: board, answer and emergency text\n`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function check(browser: OldBrowser, { url }: RunningService, text: string): Promise<void> {
  await browser.open(`${url}/board`)
  await until(browser, `/\\d/.test(document.getElementById('time').textContent)`)
  await until(browser, `Number(document.body.getAttribute('data-heard')) > 0`)
  await showEmergency(url, text)
  await until(browser, `document.getElementById('alarm').innerText.indexOf('${text}') >= 0`)
  if (browser.exceptions.length > 0) throw new Error(browser.exceptions.join('\n'))
}

async function until(browser: OldBrowser, condition: string): Promise<void> {
  const endsAt = performance.now() + withinMs
  while ((await browser.evaluate(condition)) !== true) {
    const why = [condition, ...browser.exceptions].join('\n')
    if (performance.now() > endsAt) throw new Error(`This did not become true: ${why}`)
    await sleep(pollMs)
  }
}

async function showEmergency(url: string, title: string): Promise<void> {
  const post = (path: string, form: Readonly<Record<string, string>>, cookie = '') =>
    fetch(`${url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: url, Cookie: cookie },
      body: new URLSearchParams(form),
    })
  const signedIn = await post('/admin/sign-in', { password })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
  const page = await fetch(`${url}/admin/screens`, { headers: { Cookie: cookie } })
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(await page.text()) ?? []
  const { status } = await post('/admin/screens', { token, title, text: '', until }, cookie)
  if (status >= 400) throw new Error(`The emergency text was answered with ${status}.`)
}
