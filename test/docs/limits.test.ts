import { maxHeaderSize } from 'node:http'
import { expect, test } from 'vitest'
import {
  devicesPerNetwork,
  otherDevices,
  otherDevicesPerNetwork,
} from '../../src/delivery/following/sign-up-limits.ts'
import { codeTries } from '../../src/hosting/setup-access.ts'
import { frontLimits } from '../../src/hosting/front-process.ts'
import { maxRecords, maxScheduled } from '../../src/collections/copy/content.ts'
import { maxFormBytes, maxTextBytes, maxUploadBytes } from '../../src/web/forms.ts'
import { signInTries } from '../../src/web/password-pages.ts'
import { hourMs } from '../../src/clock.ts'
import {
  accountPlaces,
  accountRequests,
  maxAnswerBytes,
  maxRepeatedCharacters,
} from '../../src/features/dav/answer-limits.ts'
import { maxClosedBodyBytes, wrongPasswords } from '../../src/features/dav/dav-routes.ts'
import { newLanguages, newPictures, newQueries } from '../../src/features/board/board-request.ts'
import { newFeedVariants, newLists, pageVariants } from '../../src/web/context.ts'
import { restartVariants } from '../../src/features/feeds/feed-routes.ts'
import { maxBodyBytes as maxDavBytes } from '../../src/features/dav/xml.ts'
import { guesses } from '../../src/web/link-gate.ts'
import { deviceChanges, maxDeviceBytes } from '../../src/features/follow/device-routes.ts'
import { followRequests } from '../../src/features/follow/follow-routes.ts'
import { tokenForms } from '../../src/features/follow/token-pages.ts'
import { maxBodyBytes } from '../../src/front/cached-fetch.ts'
import { maxRequests } from '../../src/front/origin-connection.ts'
import { bodyLimits } from '../../src/front/body-memory.ts'
import { maxSmallChunks, minChunkBytes } from '../../src/front/bounded-request.ts'
import { readerWaitMs } from '../../src/front/starting.ts'
import { cacheLimits } from '../../src/front/response-cache.ts'
import { newEmbeds } from '../../src/features/embed/embed-routes.ts'
import { saves } from '../../src/features/home/home-routes.ts'
import { maxFeedAgeMs, pageAgeMs, stalePeriods } from '../../src/web/site-cache.ts'
import { rememberedClients } from '../../src/web/client-limit.ts'
import {
  maxOpen,
  maxOpenOfClient,
  maxOpenOfNetwork,
  maxOpenOfProvider,
} from '../../src/front/in-flight-responses.ts'
import { minBytesPerSecond, minSendMs } from '../../src/front/read-deadlines.ts'
import { serverLimits } from '../../src/front/server.ts'
import { maxWaiting } from '../../src/representations/render-queue.ts'
import type { Limit } from '../../src/store/store.ts'
import { documentOf, tableAfter } from '../support/documentation.ts'

/* Compares the limits in docs/http.md and docs/privacy.md with the code. */

const http = documentOf('docs/http.md')

const secondsIn = (ms: number) => `${ms / 1000} s`
const grouped = (count: number) => count.toLocaleString('en')

function rateIn({ burst, oneMoreMs }: { readonly burst: number; readonly oneMoreMs: number }) {
  const rates = new Map([
    [500, 'two per second'],
    [1_000, 'one per second'],
    [60_000, 'one per minute'],
    [600_000, 'one every ten minutes'],
    [3_600_000, 'one per hour'],
  ])
  return `${burst}, then ${rates.get(oneMoreMs) ?? `one every ${secondsIn(oneMoreMs)}`}`
}

function perPeriod(limits: readonly Limit[]) {
  const periods = new Map([
    [3_600_000, 'hour'],
    [86_400_000, 'day'],
  ])
  return limits.map(({ windowMs, max }) => `${max} per ${periods.get(windowMs)}`).join(', ')
}

const { headersTimeoutMs, requestTimeoutMs, keepAliveMs, maxConnections, maxPipelined } =
  serverLimits

const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const wordFor = (count: number) => words[count] ?? `${count}`
const mebibyte = 1024 * 1024

const { ofAll, firstPerHour = [], windowMs } = signInTries
const wrongPerHour = firstPerHour.reduce((sum, each) => sum + each, (ofAll * hourMs) / windowMs)

/** Start of the documented limit, by row. */
const limits: Readonly<Record<string, string>> = {
  'time to send the request headers; the whole request': `about ${secondsIn(headersTimeoutMs)}; ${secondsIn(requestTimeoutMs)}`,
  'time to send a body': `${secondsIn(bodyLimits.deadlineMs)}, plus 1 s per ${bodyLimits.bytesPerSecond / 1024} KiB`,
  'size of a body': `${maxFormBytes / 1024} KiB for forms, ${maxUploadBytes / mebibyte} MiB with a file (${maxTextBytes / 1024} KiB of text), ${maxDeviceBytes / 1024} KiB for notifications, ${maxDavBytes / mebibyte} MiB for accounts, ${maxClosedBodyBytes / 1024} KiB for closed links`,
  'chunks of a body': `${grouped(maxSmallChunks)}, unless their average length is at least ${minChunkBytes} bytes`,
  'bodies of unanswered requests': `${bodyLimits.maxBytes / mebibyte} MiB in total and ${bodyLimits.maxBytesOfClient / mebibyte} MiB per client; each counts as at least ${bodyLimits.minBytes / 1024} KiB`,
  'size of request headers': `${maxHeaderSize / 1024} KB`,
  'idle connection': secondsIn(keepAliveMs),
  'open connections': `${grouped(maxConnections)};`,
  'pipelined requests on one connection': `${maxPipelined}`,
  'responses in progress': `${maxOpen} in total, ${maxOpenOfProvider} per provider, ${maxOpenOfNetwork} per network and ${maxOpenOfClient} per client`,
  'requests that the worker handles at the same time': `${maxRequests};`,
  'time to receive a response': `${secondsIn(minSendMs)}, plus 1 s per ${minBytesPerSecond / 1024} KiB`,
  'first renderings of feeds with options, per client': `${rateIn(newFeedVariants)}; ${restartVariants.burst} at once in the first hour after a restart`,
  'first renderings of lists and boards with options, per client': rateIn(newLists),
  'requests for unknown feed links, per client': rateIn(guesses),
  'pages with URL parameters, per client': rateIn(pageVariants),
  'months, colors, choices and searches of embeds, per client': rateIn(newEmbeds),
  'new combinations of board options, per client': rateIn(newQueries),
  'new combinations of options of board pictures, per client': rateIn(newPictures),
  'requests for new board languages, per client': rateIn(newLanguages),
  'selections saved on the page of a feed link, per client': rateIn(saves),
  'sign-ups for email, per client': rateIn(followRequests),
  'confirmations and changed choices of followers, per client': rateIn(tokenForms),
  'changes of notifications on a device, per client': rateIn(deviceChanges),
  'new devices, per network': perPeriod(devicesPerNetwork),
  'new devices with lesser-known push services': `${perPeriod(otherDevicesPerNetwork)} and network; ${perPeriod(otherDevices)} in total`,
  'wrong passwords of accounts for calendar apps, per client': `${wrongPasswords.ofClient} in ${wordFor(wrongPasswords.windowMs / 60_000)} minutes; ${wrongPasswords.ofAll} in total`,
  'requests of calendar apps, per feed link': rateIn(accountRequests),
  'requests of calendar apps at a time, per feed link': `${accountPlaces.maxActive}; up to ${accountPlaces.maxWaiting} more wait`,
  'responses to calendar apps in progress': `${maxAnswerBytes / mebibyte} MiB of memory`,
  'names of unknown properties in a response to a calendar app': `${maxRepeatedCharacters / mebibyte} MiB`,
  'wrong codes for the [setup page](connect.md#the-setup-page), per client': `${codeTries.ofClient} per minute; ${codeTries.ofAll} in total`,
  'wrong admin passwords, per client': `${signInTries.ofClient} per minute; ${signInTries.ofNetwork} per network; ${grouped(wrongPerHour)} per hour in total`,
  'feeds waiting to be rendered': `${maxWaiting}`,
}

const rows = tableAfter('## Limits', http).map(({ what = '', limit = '' }) => ({ what, limit }))

test.for(rows)('limits $what as documented', ({ what, limit }) => {
  expect(limit.slice(0, limits[what]?.length)).toBe(limits[what])
})

test('the table lists every limit', () => {
  expect(rows.map(({ what }) => what)).toEqual(Object.keys(limits))
})

const { recentMs, hangingMs, anyMs, maxMs, startMs } = frontLimits.responseTimes
const { staleWhileRevalidateMs, staleIfErrorMs } = stalePeriods
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

test.for([
  `checked after ${wordFor(maxFeedAgeMs / minuteMs)} minutes, and pages after ${pageAgeMs / 1000} seconds`,
  `after ${recentMs} ms if it has been outdated for less than a minute, and after ${wordFor(anyMs / 1000)} seconds`,
  `outdated for less than ${wordFor(staleIfErrorMs / dayMs)} days`,
  `get the outdated response after ${hangingMs / 1000} seconds`,
  `are not sent after ${recentMs} ms`,
  `wait for up to ${wordFor(startMs / 1000)} seconds`,
  `get \`503\` after ${wordFor(maxMs / 1000)} seconds`,
  `wait for up to ${readerWaitMs / 1000} seconds in both cases`,
  `uses up to ${cacheLimits.maxBytes / mebibyte} MiB for up to ${grouped(cacheLimits.maxUrls)} URLs of at most ${cacheLimits.maxUrlLength} characters each`,
  `responses larger than ${maxBodyBytes / mebibyte} MiB`,
])('docs/http.md says "%s"', (sentence) => {
  expect(staleWhileRevalidateMs).toBe(minuteMs)
  expect(http.replaceAll(/\s+/g, ' ')).toContain(sentence)
})

test('docs/privacy.md says how many clients are remembered', () => {
  const { maxSize } = rememberedClients
  expect(documentOf('docs/privacy.md')).toContain(`(at most ${grouped(maxSize)} per limit)`)
})

test('docs/operation.md says how many records are kept', () => {
  const text = documentOf('docs/operation.md').replaceAll(/\s+/g, ' ')
  expect(text).toContain(`newest ${grouped(maxRecords)} news stories`)
  expect(text).toContain(`first ${grouped(maxScheduled)} of each`)
})
