import { datasetEvents } from '../../bench/running/dataset.ts'
import { boxesOf, cutOff, overlaps } from '../support/board-measures.ts'
import type { OldBrowser } from './old-browser.ts'

const hostileTitles = [
  '<b onload="x">Drill</b> & "quotes"',
  'x'.repeat(300),
  'مناورة تدريب الليلة',
  '消防訓練と救急講習のお知らせ'.repeat(6),
  '\u202eegnihtyreve\u202c',
]

/** More events in a day than a board has room for, with texts that could break its layout. */
export const hostileEvents = datasetEvents(2_000).map((event, index) => ({
  ...event,
  title: hostileTitles[index % hostileTitles.length] ?? '',
}))

/** Measures use this method, which the browsers do not have. */
const checkVisibility = `Element.prototype.checkVisibility = function () {
  return this.getClientRects().length > 0
}`

/** A board fills the screen with its contents, or says that there are none. */
export async function checkContents(
  browser: OldBrowser,
  url: string,
  keep: () => Promise<void>,
): Promise<void> {
  await browser.open(`${url}/board?motion=0`)
  await browser.until(`document.body && Number(document.body.getAttribute('data-heard')) > 0`)
  await browser.until(`document.querySelector('main').innerText.trim().length > 10`)
  // Without a window, Chromium 80 draws pages only for screenshots.
  await keep()
  await browser.evaluate(checkVisibility)
  await browser.until(`${cutOff}.length === 0`)
  await browser.until(`${overlaps}(${boxesOf}).length === 0`)
}
