import { timeZone } from '../../bench/running/dataset.ts'
import type { OldBrowser } from './old-browser.ts'
import type { ShiftedService } from './shifted-service.ts'

const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000
/** The page's clocks move in steps, so that they stay with those of the service. */
const stepMs = 2 * secondMs
const yearMs = 365 * 24 * hourMs

/**
 * Script that runs before those of the page. The protocol speeds up timers, but not clocks in old browsers,
 * so it moves them by `ahead`. The monotonic clock begins with the page, and stops while a device sleeps.
 */
const clocks = (wrongMs: number) => `
  const shift = new XMLHttpRequest()
  shift.open('GET', '/shift', false)
  shift.send()
  const first = Number(shift.responseText)
  window.ahead = first
  window.sleptMs = 0
  const [dateNow, monotonicNow] = [Date.now, performance.now]
  Date.now = () => dateNow.call(Date) + ahead + sleptMs + ${wrongMs}
  performance.now = () => monotonicNow.call(performance) + ahead - first
`

const withoutStorage = `
  for (const name of ['localStorage', 'sessionStorage', 'caches'])
    Object.defineProperty(window, name, { get() { throw new Error('there is no storage') } })
`

/** A board in one browser, with a fast clock. */
export function createFastBoard(browser: OldBrowser, service: ShiftedService) {
  async function check(condition: string): Promise<void> {
    if ((await browser.evaluate(condition)) === true) return
    const shown = await browser.evaluate(`document.body.innerText.slice(0, 300)`)
    throw new Error([`This is not true: ${condition}`, shown, ...browser.exceptions].join('\n'))
  }

  async function pass(ms: number, eachMs = stepMs): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += eachMs) {
      service.shiftMs += eachMs
      await browser.evaluate(`window.ahead = ${service.shiftMs} - sleptMs`)
      await browser.pass(eachMs)
    }
  }

  /** Moves the clocks of the device and the service, but not the monotonic clock. */
  async function sleepFor(ms: number): Promise<void> {
    service.shiftMs += ms
    await browser.evaluate(`window.sleptMs += ${ms}`)
  }

  const timesShown = () =>
    [-stepMs, 0].map((ms) =>
      new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone })
        .format(Date.now() + service.shiftMs + ms)
        .replace(/\s/g, ' '),
    )

  /** The clock shows the service's time, and is marked if it may be wrong. */
  async function checkClock({ isUnsure = false } = {}): Promise<void> {
    const clock = `document.getElementById('time').textContent.replace(/\\s/g, ' ')`
    await check(`${JSON.stringify(timesShown())}.indexOf(${clock}) >= 0`)
    await check(`document.getElementById('clock').classList.contains('unsure') === ${isUnsure}`)
  }

  const checkSilence = (isShown: boolean) =>
    check(`document.getElementById('silent').hidden === ${!isShown}`)

  return { check, pass, sleepFor, checkClock, checkSilence }
}

export type Emergency = (title: string) => Promise<void>

/** Half an hour with polls, an emergency text, an outage of 17 minutes and a night's sleep. */
export async function checkHalfHour(
  browser: OldBrowser,
  service: ShiftedService,
  showEmergency: Emergency,
): Promise<void> {
  const { check, pass, sleepFor, checkClock, checkSilence } = createFastBoard(browser, service)
  const remove = await prepare(browser, clocks(0))
  await browser.open(`${service.url}/board`)
  await browser.until(`document.body && Number(document.body.getAttribute('data-heard')) > 0`)
  const pollsBefore = service.polls
  await pass(10 * minuteMs)
  if (service.polls - pollsBefore < 10) throw new Error(`there were ${service.polls} polls`)
  await checkClock()
  await showEmergency('Half hour')
  await pass(minuteMs)
  await check(`document.getElementById('alarm').innerText.indexOf('Half hour') >= 0`)
  service.isCutOff = true
  await pass(14 * minuteMs)
  await checkClock()
  await checkSilence(false)
  await pass(3 * minuteMs)
  await checkClock()
  await checkSilence(true)
  service.isCutOff = false
  await pass(2 * minuteMs)
  await checkSilence(false)
  await checkClock()
  service.isCutOff = true
  await sleepFor(9 * hourMs)
  await browser.pass(stepMs)
  await checkClock({ isUnsure: true })
  service.isCutOff = false
  await pass(minuteMs)
  await checkClock()
  await remove()
}

/** Storage that throws, and clocks that are years slow or fast. */
export async function checkBadDevices(
  browser: OldBrowser,
  service: ShiftedService,
  showEmergency: Emergency,
): Promise<void> {
  const scripts = [
    `${clocks(0)}${withoutStorage}`,
    ...[-6, 6].map((years) => clocks(years * yearMs)),
  ]
  for (const [index, script] of scripts.entries()) {
    const { check, pass, checkClock } = createFastBoard(browser, service)
    const remove = await prepare(browser, `window.device = ${index}${script}`)
    await browser.open(`${service.url}/board`)
    // Chromium 92 loads pages only while time passes.
    await pass(minuteMs)
    await check(`window.device === ${index} && document.body.getAttribute('data-heard') > 0`)
    await checkClock()
    const title = `Bad device ${index}`
    await showEmergency(title)
    await pass(minuteMs)
    await check(`document.getElementById('alarm').innerText.indexOf('${title}') >= 0`)
    await checkClock()
    await remove()
  }
}

const days = 8
/** Long steps are precise enough for memory. */
const memoryStepMs = minuteMs
/** Maximum growth after the first day. */
const maxGrowth = 1.1

/** Memory stays flat while a board runs for days. Reports the size of the heap after each day. */
export async function checkMemory(
  browser: OldBrowser,
  service: ShiftedService,
  report: (line: string) => void,
): Promise<void> {
  const { pass, checkClock } = createFastBoard(browser, service)
  const remove = await prepare(browser, clocks(0))
  await browser.open(`${service.url}/board?motion=0`)
  await pass(minuteMs)
  let first: number | undefined
  for (let day = 1; day <= days; day += 1) {
    await pass(24 * hourMs, memoryStepMs)
    await browser.send('HeapProfiler.collectGarbage')
    const { result } = await browser.send('Runtime.getHeapUsage')
    const bytes = result?.usedSize ?? NaN
    report(`day ${day}: ${bytes} bytes`)
    first ??= bytes
    if (!(bytes <= first * maxGrowth)) throw new Error('memory grows from day to day')
  }
  await pass(minuteMs)
  await checkClock()
  await remove()
}

async function prepare(browser: OldBrowser, source: string) {
  await browser.send('Page.enable')
  const script = `(() => {${source}})()`
  const { result } = await browser.send('Page.addScriptToEvaluateOnNewDocument', { source: script })
  const { identifier } = result ?? {}
  return () => browser.send('Page.removeScriptToEvaluateOnNewDocument', { identifier })
}
