import { expect, test } from 'vitest'
import {
  problemsFrom,
  type LinkActivity,
  type Observations,
  type Problem,
} from '../../../src/collections/status/problems.ts'
import { upstreamErrorKinds, type UpstreamErrorKind } from '../../../src/upstream/upstream-error.ts'
import { minuteMs } from '../../support/collections.ts'
import { healthy, now } from './healthy.ts'

const dayMs = 24 * 60 * minuteMs
const megabyte = 1024 * 1024

const disk = (freeBytes: number, totalBytes: number): Observations => ({
  disk: { freeBytes, totalBytes },
})

/** A certificate that ends after a time, and was valid for a year or the given time. */
const certificate = (leftMs: number, validMs = 365 * dayMs): Observations => ({
  certificate: { validFrom: now + leftMs - validMs, validUntil: now + leftMs },
})

const tokenAged = (ageMs: number): Observations => ({
  refreshToken: { createdAt: now - ageMs, isEstimate: false },
})

const linkOf = (more: Partial<LinkActivity>): Observations => ({
  links: [{ id: 'a', createdAt: 0, lastUsedAt: now, appsUsedAt: [], ...more }],
})

type Threshold = {
  /** The smallest or largest value that is reported, and the next one that is not. */
  readonly reported: Observations
  readonly tooEarly: Observations
}

/** The thresholds in the table of alerts in docs/operation.md. */
const thresholds: Readonly<Record<string, Threshold>> = {
  'a disk with less than 200 MB': {
    reported: disk(200 * megabyte - 1, 1e12),
    tooEarly: disk(200 * megabyte, 1e12),
  },
  'a small disk with less than a tenth': {
    reported: disk(99_999_999, 1e9),
    tooEarly: disk(100_000_000, 1e9),
  },
  'a certificate that ends in 14 days': {
    reported: certificate(14 * dayMs),
    tooEarly: certificate(14 * dayMs + 1),
  },
  'a certificate in the last quarter of its validity': {
    reported: certificate(2 * dayMs, 8 * dayMs),
    tooEarly: certificate(2 * dayMs + 1, 8 * dayMs),
  },
  'a refresh token that ends in 30 days': {
    reported: tokenAged(335 * dayMs),
    tooEarly: tokenAged(335 * dayMs - 1),
  },
  'a link that has not been used for 60 days': {
    reported: linkOf({ lastUsedAt: now - 60 * dayMs }),
    tooEarly: linkOf({ lastUsedAt: now - 60 * dayMs + 1 }),
  },
  'a link that five kinds of apps have read within 30 days': {
    reported: linkOf({ appsUsedAt: [now, now, now, now, now - 30 * dayMs + 1] }),
    tooEarly: linkOf({ appsUsedAt: [now, now, now, now, now - 30 * dayMs] }),
  },
}

test.for(Object.entries(thresholds))('reports %s, and nothing before', ([, threshold]) => {
  expect(problemsFrom(healthy, threshold.reported).open).toHaveLength(1)
  expect(problemsFrom(healthy, threshold.tooEarly).open).toEqual([])
})

test.for<[name: string, Observations, Observations, Problem['urgency'], Problem['urgency']]>([
  ['3 days', certificate(3 * dayMs + 1), certificate(3 * dayMs), 'normal', 'urgent'],
  ['14 days', tokenAged(351 * dayMs - 1), tokenAged(351 * dayMs), 'note', 'normal'],
])('becomes more urgent %s before the end', ([, before, after, ...expected]) => {
  const urgencies = [before, after].map((each) => problemsFrom(healthy, each).open[0]?.urgency)
  expect(urgencies).toEqual(expected)
})

/** The problem that each lasting failure of the token request is reported as. */
const refusals: Readonly<Partial<Record<UpstreamErrorKind, string>>> = {
  token_missing: 'token-refused',
  token_invalid: 'token-refused',
  token_expired: 'token-refused',
  refresh_token_supplied: 'token-refused',
  refresh_expired: 'token-refused',
  too_many_failures: 'token-refused',
  token_requests_paused: 'token-refused',
  ip_not_allowed: 'address-refused',
  project_disabled: 'project-disabled',
  api_disabled: 'project-disabled',
  https_required: 'project-disabled',
}

test.for(upstreamErrorKinds)(
  'knows whether a token request that fails with %s is refused',
  (kind) => {
    const token = { expiresAt: undefined, failure: { kind, retryAt: now } }
    const keys = problemsFrom({ ...healthy, token }, {}).open.map(({ key }) => key)
    const refusal = refusals[kind]
    expect(keys).toEqual(refusal === undefined ? [] : [refusal])
  },
)
