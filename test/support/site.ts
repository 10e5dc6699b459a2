import { identityFrom } from '../../src/feeds/identity.ts'
import type { Site } from '../../src/feeds/site.ts'

export const testSite: Site = {
  name: 'Cedar Hollow; Fire, Rescue & EMS',
  url: 'https://cedarhollow.example',
  idHost: 'cedarhollow.example',
  identity: identityFrom({ color: '#b3261e' }, 'Cedar Hollow; Fire, Rescue & EMS'),
  language: 'en-US',
  timeZone: 'America/New_York',
  publicUrl: 'https://feeds.cedarhollow.example',
  links: {},
  publicFeedIds: ['calendar', 'events', 'rental', 'signup', 'news', 'announcements'],
  hubs: [],
}
