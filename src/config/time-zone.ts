import { IANAZone } from 'luxon'
import { z } from 'zod'

/**
 * Names that Unicode kept when the tz database renamed these zones, until 2014. Systems without old
 * names know only the new ones.
 */
const renamedZones: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
  UTC: 'Etc/UTC',
}

/** Zones renamed since 2020. Old devices know only the old name, so the configured one is used. */
const recentNames = ['Europe/Kyiv', 'America/Nuuk', 'Pacific/Kanton']

export const timeZone = z
  .string()
  .refine(
    (zone) => /^[a-z]/i.test(zone) && IANAZone.isValidZone(zone),
    'must be the name of a time zone, like America/New_York',
  )
  .refine(
    (zone) => !/^[EMH]ST$/i.test(zone),
    "must be a regional time zone, like America/New_York: EST, MST and HST don't observe daylight saving time",
  )
  .transform(timeZoneName)

/**
 * Returns the current name of a time zone, with its canonical capitalization. Some calendar clients
 * do not know old names like US/Eastern.
 */
function timeZoneName(zone: string): string {
  const recent = recentNames.find((name) => name.toLowerCase() === zone.toLowerCase())
  if (recent !== undefined) return recent
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
  return renamedZones[timeZone] ?? timeZone
}
