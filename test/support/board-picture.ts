import { drawingOf, type PictureContent } from '../../src/features/board/board-drawing.ts'
import { pictureOptionsFor } from '../../src/features/board/picture-options.ts'
import { readOptions } from '../../src/options/option.ts'
import { siteOffsetsAt } from '../../src/records/clock-changes.ts'
import { drawnPicture, type PictureFormat } from '../../src/pictures/drawn-picture.ts'
import type { BoardItem } from '../../src/signage/board-item.ts'
import { validOptions } from '../../src/web/errors.ts'
import { item } from './board-items.ts'
import { testSite } from './site.ts'

const site = { ...testSite, name: 'Cedar Hollow Volunteer Fire Department' }

type Content = {
  readonly items?: readonly BoardItem[]
  readonly query?: string
  /** Site time on March 5, 2026, at UTC-5. */
  readonly clock?: string
  readonly photo?: Buffer
  readonly code?: string
  readonly ageMs?: number
}

/** Returns the content of a board's picture with the options in a query string. */
export function pictureContent(content: Content, format: PictureFormat = 'png'): PictureContent {
  const { items = [], query = '', clock = '10:00:00', photo, code = '', ageMs = 0 } = content
  const reading = readOptions(pictureOptionsFor([], site, []), new URLSearchParams(query))
  const options = validOptions(reading).values
  const now = Date.parse(`2026-03-05T${clock}-05:00`)
  const { name, language, identity } = site
  return {
    items,
    options,
    format,
    site: { name, language, color: identity.color },
    readAt: now - ageMs,
    intervalMs: 300_000,
    now,
    offsets: siteOffsetsAt(now, site.timeZone),
    code,
    photo,
  }
}

/** Returns a board's drawing with the options in a query string, and its form. */
export const drawingFor = (content: Content, format?: PictureFormat) =>
  drawingOf(pictureContent(content, format))

/** Draws a board with the options of a query. */
export function pictureFor(content: Content, format: PictureFormat = 'png') {
  const { drawing, form } = drawingFor(content, format)
  return drawnPicture(drawing, form)
}

const day = (date: number) => `2026-03-${String(date).padStart(2, '0')}`

const entry = (date: number, from: string, until: string, title: string, change = {}) =>
  item({
    id: `events-${date}-${title}`,
    title,
    start: `${day(date)}T${from}:00`,
    end: `${day(date)}T${until}:00`,
    ...change,
  })

const colors = { events: '#b22222', training: '#4169e1', hall: '#2e8b57', board: '#d2691e' }

/** A week with everything that a board shows. */
export const busyWeek: readonly BoardItem[] = [
  item({
    id: 'duty-1',
    role: 'duty',
    title: 'Crew B: Reyes, Novak, Okafor',
    start: '2026-03-05T06:00:00',
    end: '2026-03-06T06:00:00',
    color: colors.training,
  }),
  entry(5, '19:00', '21:30', 'Drill: Ladder raises', {
    location: 'Station 1',
    color: colors.training,
  }),
  entry(5, '12:00', '13:00', 'Blood drive', {
    location: 'Social Hall',
    color: colors.hall,
    changedAt: '2026-03-05T08:00:00',
  }),
  entry(6, '17:00', '20:00', 'Friday fish fry', {
    location: 'Social Hall, 14 Mill Road',
    color: colors.events,
  }),
  item({
    id: 'all-1',
    title: 'Daylight saving time starts',
    start: '2026-03-08',
    end: '2026-03-09',
    allDay: true,
  }),
  entry(9, '19:30', '20:30', 'Monthly business meeting of the board of directors', {
    location: 'Station 1',
    color: colors.board,
  }),
  entry(10, '09:00', '15:30', 'Hands-only CPR class for beginners, with certificates', {
    open: 3,
    places: 12,
    location: 'Training Room',
    color: colors.training,
  }),
  entry(12, '18:30', '19:30', 'Truck check: Engine 1, Tanker 4', {
    location: 'Station 1',
    color: colors.events,
  }),
  item({
    id: 'b1',
    role: 'bookings',
    title: 'Scout Troop 14',
    room: 'Meeting Room',
    start: '2026-03-05T18:00:00',
    end: '2026-03-05T20:00:00',
  }),
  item({
    id: 'v1',
    role: 'volunteers',
    title: 'Pancake breakfast',
    open: 4,
    places: 10,
    start: '2026-03-14T08:00:00',
  }),
  item({
    id: 'a1',
    role: 'announcement',
    title: 'Burn ban in effect',
    text: 'No open burning in the district until further notice.',
    end: null,
  }),
]

export const germanWeek: readonly BoardItem[] = [
  entry(5, '19:00', '21:30', 'Übung: Löschangriff, Atemschutzgeräteträger', {
    location: 'Gerätehaus',
    color: colors.training,
  }),
  entry(6, '18:30', '20:00', 'Jahreshauptversammlung der Freiwilligen Feuerwehr', {
    location: 'Bürgersaal',
    color: colors.board,
  }),
  entry(7, '09:00', '17:00', 'Donaudampfschifffahrtsgesellschaftskapitänstreffen', {
    location: 'Großer Saal im ersten Stock des alten Schulhauses',
    color: colors.hall,
  }),
  entry(8, '10:00', '12:00', 'Tag der offenen Tür', { color: colors.events }),
  item({
    id: 'a1',
    role: 'announcement',
    title: 'Waldbrandgefahr: Stufe 4',
    text: 'Offenes Feuer ist im ganzen Landkreis verboten.',
    end: null,
  }),
]

export const hostileTitles = [
  'مهرجان الإطفاء السنوي',
  '消防団の訓練',
  'Tag der 消防 offenen Tür 🚒',
  '👩‍🚒👩‍🚒👩‍🚒',
  '<b>bold</b> & "quotes" </text><script>alert(1)</script>',
  '𝐁𝐨𝐥𝐝 𝒕𝒊𝒕𝒍𝒆 Ａｂｃ',
  'Zalgo t\u0336e\u0336x\u0336t \u202Eright to left\u202C \u0000\u0007',
  'x'.repeat(300),
  'Пожарная дружина · Πυροσβεστική',
  '   ',
]

export const hostileWeek: readonly BoardItem[] = hostileTitles.map((title, index) =>
  entry(5 + index, '19:00', '20:00', title, {
    id: `hostile-${index}`,
    location: index === 0 ? '東京' : '',
    text: title,
  }),
)

export const emergency = item({
  id: 'emergency',
  role: 'emergency',
  title: 'Evacuate Mill Road now',
  text: 'A gas main is broken between Mill Road and Elm Street. Leave on foot to the north and go to the school. Do not start cars. Do not use switches or phones near the leak. Help your neighbors.',
  start: '2026-03-05T09:45:00',
  end: '2026-03-05T18:00:00',
})

/** A story whose photo a test draws. */
export const storyWithPhoto: readonly BoardItem[] = [
  item({
    role: 'story',
    title: 'New engine in service',
    text: 'After six weeks of training, Engine 1 answered its first call.',
    category: 'News',
    pictureUrl: 'https://cedarhollow.example/engine-1.jpg',
    end: null,
  }),
]

/** A day with more entries than any display can show. */
export const crowdedDay: readonly BoardItem[] = Array.from({ length: 200 }, (_, index) =>
  entry(5, '20:00', '21:00', `Meeting ${index + 1}`, { id: `crowded-${index}` }),
)
