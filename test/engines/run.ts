/*
 * Opens a board, an embed and the agenda in the old browsers of televisions, sticks and players. Boards must
 * show the time, get an answer from the service, and show an emergency text within a minute of real time.
 * Then half an hour and a night's sleep pass quickly, with an outage, and nothing may be outdated without a
 * mark. Needs a package registry and takes about fifteen minutes. Linux on x64 only.
 *
 *   npm run engines [FOLDER]    also writes screenshots to the folder
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { datasetEvents } from '../../bench/running/dataset.ts'
import { startService, type RunningService } from '../../bench/running/service.ts'
import { checkContents, hostileEvents } from './contents.ts'
import { checkBadDevices, checkHalfHour, checkMemory } from './half-hour.ts'
import { startOldBrowser, unpacked, type Engine, type OldBrowser } from './old-browser.ts'
import { shiftService } from './shifted-service.ts'

const engines: readonly Engine[] = [
  { from: 'chrome-aws-lambda@1.5.0', path: 'bin/chromium-69.0.3452.0.br' },
  { from: 'chrome-aws-lambda@2.1.1', path: 'bin/chromium.br' },
  { from: '@sparticuz/chromium@92.0.0', path: 'bin/chromium.br' },
]

const password = 'correct horse battery staple'
const [screenshots] = process.argv.slice(2)
const work = mkdtempSync(join(tmpdir(), 'feedhouse-engines-'))
try {
  await using service = await startService(datasetEvents(50), {
    settings: { ADMIN_PASSWORD: password },
  })
  // Its boards never show an emergency text.
  await using sample = await startService(datasetEvents(50))
  await using empty = await startService([])
  await using hostile = await startService(hostileEvents)
  for (const [index, engine] of engines.entries()) {
    const folder = join(work, String(index))
    mkdirSync(folder)
    const pack = ['pack', engine.from, '--silent', '--pack-destination', folder]
    const archive = execFileSync('npm', pack, { encoding: 'utf8' }).trim()
    execFileSync('tar', ['-xzf', join(folder, archive), '-C', folder])
    const executable = unpacked(folder, engine)
    // Boards show nothing else once there is an emergency text.
    if (index === 0) await checkMemoryIn(executable, folder, service)
    await using browser = await startOldBrowser(executable, folder)
    await using shifted = await shiftService(service.url)
    const emergency = (title: string) => showEmergency(service.url, title)
    const keep = (name: string) =>
      browser.screenshot(join(screenshots ?? folder, `${index}-${name}.png`))
    for (const [name, { url }] of Object.entries({ sample, empty, hostile })) {
      await checkContents(browser, url, () => keep(name))
    }
    await checkBoard(browser, service, `Engine ${index}`)
    await keep('emergency')
    await checkPages(browser, service, keep)
    await checkHalfHour(browser, shifted, emergency)
    await keep('half-hour')
    await checkBadDevices(browser, shifted, emergency)
    if (browser.exceptions.length > 0) throw new Error(browser.exceptions.join('\n'))
    const version = await browser.evaluate(`/Chrome\\/\\d+/.exec(navigator.userAgent)[0]`)
    process.stdout.write(`${String(version)}: board, embed, agenda, half an hour, bad devices\n`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** In a browser of its own, because its clock would not be real afterwards. */
async function checkMemoryIn(executable: string, folder: string, { url }: RunningService) {
  await using browser = await startOldBrowser(executable, folder)
  await using shifted = await shiftService(url)
  await checkMemory(browser, shifted, (line) => process.stdout.write(`${line}\n`))
}

/** In real time. */
async function checkBoard(browser: OldBrowser, { url }: RunningService, text: string) {
  await browser.open(`${url}/board`)
  await browser.until(`/\\d/.test(document.getElementById('time').textContent)`)
  await browser.until(`Number(document.body.getAttribute('data-heard')) > 0`)
  await showEmergency(url, text)
  await browser.until(`document.getElementById('alarm').innerText.indexOf('${text}') >= 0`)
}

function colorOf(root: string, selector: string, name: string): string {
  return `getComputedStyle(${root}.querySelector('${selector}')).${name}`
}

/** An organization's page shows an embed, in colors that can be seen, and so does the agenda. */
async function checkPages(
  browser: OldBrowser,
  { url }: RunningService,
  keep: (name: string) => Promise<void>,
) {
  const embed = `<feedhouse-events src="${url}/embed/events"></feedhouse-events>
    <script type="module" src="${url}/feedhouse-events.js" crossorigin></script>`
  const host = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end(`<!doctype html><body>${embed}`)
  })
  await new Promise<void>((resolve) => void host.listen(0, '127.0.0.1', resolve))
  await browser.open(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`)
  const root = `document.querySelector('feedhouse-events').shadowRoot`
  await browser.until(`${root} !== null && ${root}.querySelectorAll('.ev').length > 1`)
  await browser.until(`${colorOf(root, 'li + li', 'borderTopColor')} === 'rgb(228, 226, 224)'`)
  await browser.until(`${colorOf(root, '.embed', 'backgroundColor')} === 'rgb(255, 255, 255)'`)
  await keep('embed')
  await browser.open(`${url}/agenda`)
  await browser.until(`document.querySelectorAll('.pill').length > 1`)
  await browser.until(`${colorOf('document', '.pill', 'borderTopColor')} === 'rgb(228, 226, 224)'`)
  await browser.until(`${colorOf('document', '.pill', 'backgroundColor')} === 'rgb(255, 255, 255)'`)
  await keep('agenda')
  host.close()
  // Its scripts are not for old browsers. It works without them.
  browser.exceptions.length = 0
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
  const { status } = await post(
    '/admin/screens',
    { token, title, text: '', until, screens: 'on' },
    cookie,
  )
  if (status >= 400) throw new Error(`The emergency text was answered with ${status}.`)
}
