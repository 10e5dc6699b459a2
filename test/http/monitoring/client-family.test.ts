import { expect, test } from 'vitest'
import { clientFamily } from '../../../src/http/monitoring/client-family.ts'

test.for([
  ['iOS/18.1 (22B83) dataaccessd/1.0', 'Apple Calendar'],
  ['macOS/15.1 (24B83) CalendarAgent/1174', 'Apple Calendar'],
  ['Google-Calendar-Importer', 'Google'],
  ['FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)', 'Google'],
  ['Microsoft.Exchange/15.20 (Outlook)', 'Outlook'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Thunderbird/153.0', 'Thunderbird'],
  ['ICSx5/2.2.4 (2024/10/01; okhttp/4.12.0) Android/14', 'Android calendar'],
  ['Evolution/3.46.4', 'other calendar'],
  ['Mozilla/5.0 (compatible; Miniflux/2.2; +https://miniflux.app)', 'feed reader'],
  ['FreshRSS/1.24 (Linux; https://freshrss.org)', 'feed reader'],
  ['UptimeRobot/2.0', 'monitoring'],
  ['Prometheus/2.53.1', 'monitoring'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'robot'],
  ['curl/8.5.0', 'script'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36', 'browser'],
  ['something new', 'other'],
  ['', 'other'],
  [undefined, 'other'],
] as const)('classifies %s as %s', ([userAgent, family]) => {
  expect(clientFamily(userAgent)).toBe(family)
  expect(clientFamily(userAgent)).toBe(family)
})

test('classifies very long names quickly', () => {
  expect(clientFamily(`Mozilla/5.0 ${'x'.repeat(15_000)} Thunderbird`)).toBe('browser')
})
