import { expect, test } from 'vitest'
import { clientFamily, familyPatterns } from '../../src/web/client-family.ts'

/** User agents by family, at least one for each program that a pattern names. */
const userAgents = {
  'Apple Calendar': `iOS/18.1 (22B83) dataaccessd/1.0 | macOS/15.1 (24B83) CalendarAgent/1174
    | CalendarKit/1.0 CFNetwork/1568 | calendard/1.0 | iOS/26.0 (23A340) remindd calaccessd/1.0`,
  Google: `Google-Calendar-Importer | GoogleCalendarImporter/1.0
    | FeedFetcher-Google; (+http://www.google.com/feedfetcher.html) | Google-CalendarSync/1.0`,
  Outlook: `Microsoft.Exchange/15.20 (Outlook)
    | Mozilla/4.0 (compatible; ms-office; Microsoft Office/16.0) | Exchange/15.20
    | Android-MS-ActiveSync/1.0 | Microsoft.Exchange/15.20`,
  Thunderbird: `Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Thunderbird/153.0
    | Mozilla/5.0 (X11; Linux x86_64; rv:45.0) Gecko/20100101 Lightning/4.7
    | Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Betterbird/140.0`,
  'Android calendar': `ICSx5/2.2.4 (2024/10/01; okhttp/4.12.0) Android/14
    | DAVx5/4.4.4 (dav4jvm; okhttp/4.12.0) Android/14 | OpenSync/1.0 | CalDAV-Sync/0.4
    | Etar/1.0.45 | aCalendar/2.9`,
  screen: `Xibo for Android/3.3 | Anthias/0.19 | Screenly/1.0
    | Mozilla/5.0 (Node.js 22) MagicMirror/2.29 | Concerto/2.4 | Yodeck Player/2.0
    | OptiSigns/5.6 | BrightSign/9.0.145 | info-beamer/1.0 | Raspberry Slideshow/17
    | RaspberrySlideshow/17`,
  'feed reader': `Feedly/1.0 (+http://www.feedly.com/fetcher.html)
    | Mozilla/5.0 (compatible; Inoreader) | NewsBlur Feed Fetcher
    | Mozilla/5.0 (compatible; Miniflux/2.2; +https://miniflux.app)
    | FreshRSS/1.24 (Linux; https://freshrss.org)
    | NetNewsWire (RSS Reader; https://netnewswire.com/) | Reeder/5.4 CFNetwork/1568
    | Tiny Tiny RSS/24.10 | CommaFeed/5.3 | Feedbin feed-id:1 | newsboat/2.37 | Liferea/1.15
    | Akregator/6.2 | QuiteRSS/0.19 | RSSOwl/2.2 | Feeder/2.7 | FeedParser/6.0 | FeedDemon/4.5
    | FeedBurner/1.0 | Feedbro/4.14 | Mozilla/5.0 (compatible; feed-fetcher)`,
  'other calendar': `Evolution/3.46.4 | Proton Calendar/1.0 | KOrganizer/6.2 | khal/0.11
    | vdirsyncer/0.19 | ical.net/4.0 | CalDAV client
    | Mozilla/5.0 (Linux) mirall/3.14 (Nextcloud)`,
  monitoring: `Feedhouse check 1.0 | Feedhouse doctor 1.0 | UptimeRobot/2.0
    | Pingdom.com_bot_version_1.4 | StatusCake | kube-probe/1.31 | Prometheus/2.53.1
    | Better Uptime Bot | BetterUptime/1.0 | ELB-HealthChecker/2.0 | Uptime-Kuma/1.23`,
  robot: `Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) | crawler/1.0
    | Baiduspider/2.0 | Mozilla/5.0 (compatible; Yahoo! Slurp) | facebookexternalhit/1.1
    | WhatsApp/2.24 | Slack-ImgProxy (+https://api.slack.com/robots)`,
  script: `curl/8.5.0 | Wget/1.21 | python-requests/2.32 | Go-http-client/2.0 | node | undici
    | axios/1.7 | okhttp/4.12.0 | Java/21 | libwww-perl/6.77 | PHP/8.3 | Ruby`,
  browser: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36
    | Opera/9.80`,
  other: `something new | `,
} as const

const agentsOf = (family: keyof typeof userAgents) => userAgents[family].split(/\s*\|\s*/)

test.for(Object.keys(userAgents) as (keyof typeof userAgents)[])('recognizes %s', (family) => {
  expect(agentsOf(family).filter((userAgent) => clientFamily(userAgent) !== family)).toEqual([])
})

test('classifies a request without a user agent as other', () => {
  expect(clientFamily(undefined)).toBe('other')
})

/** Splits a pattern at each `|`, also at those inside a group. */
function alternatives({ source, flags }: RegExp): readonly RegExp[] {
  const parts = source.match(/(?:\([^)]*\)|[^|(])+/g) ?? []
  return parts
    .flatMap((part) => {
      const [, before = part, inside = '', after = ''] = /^(.*)\(\?:(.*)\)(.*)$/.exec(part) ?? []
      return inside.split('|').map((each) => `${before}${each}${after}`)
    })
    .map((alternative) => new RegExp(alternative, flags))
}

test.for(familyPatterns)('has a sample for each program of %s: %s', ([family, pattern]) => {
  const isTested = (each: RegExp) => agentsOf(family).some((userAgent) => each.test(userAgent))
  expect(alternatives(pattern).filter((each) => !isTested(each))).toEqual([])
})

test('classifies very long names quickly', () => {
  expect(clientFamily(`Mozilla/5.0 ${'x'.repeat(15_000)} Thunderbird`)).toBe('browser')
})
