/**
 * In order of precedence, because many clients also claim to be a browser. Too broad to identify a
 * person.
 */
export const familyPatterns = [
  ['monitoring', /^Feedhouse (?:check|doctor)/],
  [
    'Apple Calendar',
    /dataaccessd|CalendarAgent|CalendarKit|\bcalendard\b|\b(?:iOS|macOS)\/.*\bcal/i,
  ],
  ['Google', /Google-Calendar|GoogleCalendarImporter|FeedFetcher-Google|Google-CalendarSync/i],
  ['Outlook', /Outlook|Microsoft Office|Exchange|MS-ActiveSync|Microsoft\.Exchange/i],
  ['Thunderbird', /Thunderbird|Lightning|Betterbird/i],
  ['Android calendar', /ICSx5|DAVx5|OpenSync|CalDAV-Sync|Etar|aCalendar/i],
  [
    'screen',
    /Xibo|Anthias|Screenly|MagicMirror|Concerto|Yodeck|OptiSigns|BrightSign|info-beamer|Raspberry ?Slideshow/i,
  ],
  [
    'feed reader',
    /Feedly|Inoreader|NewsBlur|Miniflux|FreshRSS|NetNewsWire|Reeder|Tiny Tiny RSS|CommaFeed|Feedbin|newsboat|Liferea|Akregator|QuiteRSS|RSS|Feed(?:er|Parser|Demon|Burner|bro)|\bfeed/i,
  ],
  ['other calendar', /calendar|Evolution|KOrganizer|khal|vdirsyncer|ical|CalDAV|Nextcloud/i],
  [
    'monitoring',
    /UptimeRobot|Pingdom|StatusCake|kube-probe|Prometheus|Better ?Uptime|ELB-HealthChecker|Uptime-Kuma/i,
  ],
  ['robot', /bot\b|crawl|spider|slurp|facebookexternalhit|WhatsApp|Slack/i],
  ['script', /^(?:curl|Wget|python|Go-http-client|node|undici|axios|okhttp|Java|libwww|PHP|Ruby)/i],
  ['browser', /^Mozilla\/|Opera/i],
] as const

export type ClientFamily = (typeof familyPatterns)[number][0] | 'other'

const maxMatchedLength = 300

export function clientFamily(userAgent: string | undefined): ClientFamily {
  if (userAgent === undefined) return 'other'
  const read = userAgent.slice(0, maxMatchedLength)
  const [family = 'other'] = familyPatterns.find(([, pattern]) => pattern.test(read)) ?? []
  return family
}
