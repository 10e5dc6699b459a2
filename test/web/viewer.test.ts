import { expect, test } from 'vitest'
import { noteUse } from '../../src/web/viewer.ts'
import { linkEntry } from '../support/site-cache.ts'

function appOf(userAgent: string | undefined): string | undefined {
  let noted: string | undefined
  const entry = {
    ...linkEntry(),
    noteUse: ({ app }: { readonly app: string }) => void (noted = app),
  }
  noteUse(entry, 0, userAgent)
  return noted
}

test.for([
  ['iOS/18.1 (22B83) dataaccessd/1.0', 'Apple'],
  ['Google-Calendar-Importer', 'Google'],
  ['Microsoft.Exchange/15.20 (Outlook)', 'Outlook'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Thunderbird/153.0', 'Thunderbird'],
  ['ICSx5/2.2.4 (2024/10/01; okhttp/4.12.0) Android/14', 'Android'],
  ['Evolution/3.46.4', 'other calendar'],
  ['FreshRSS/1.24 (Linux; https://freshrss.org)', 'reader'],
  ['Xibo/4.1', 'screen'],
  ['curl/8.5.0', 'other'],
  [undefined, 'other'],
  // A check from the link's own page does not count as a use.
  ['Feedhouse check of aaaabbbb', undefined],
  ['Feedhouse check of aaaaaaaa', 'other'],
] as const)('records a request by %s as a use by %s', ([userAgent, app]) => {
  expect(appOf(userAgent)).toBe(app)
})
