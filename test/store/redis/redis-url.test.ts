import { expect, test } from 'vitest'
import { readRedisUrl } from '../../../src/store/redis/redis-url.ts'

const server = {
  kind: 'server',
  hosts: 'a',
  nodes: [{ host: 'a', port: 6379 }],
  isEncrypted: false,
  login: {},
  database: 0,
  primary: '',
  sentinelLogin: {},
}

test.for([
  ['redis://a', {}],
  ['redis://a/', {}],
  ['rediss://a/2', { isEncrypted: true, database: 2 }],
  ['redis://:p%40ss:w%2Frd@a', { login: { password: 'p@ss:w/rd' } }],
  ['redis://feed:h@use@a', { login: { username: 'feed', password: 'h@use' } }],
  ['redis://[::1]:7000', { hosts: '[::1]:7000', nodes: [{ host: '::1', port: 7000 }] }],
  [
    'rediss-cluster://feed:pass@a,b:7000/0',
    {
      kind: 'cluster',
      hosts: 'a,b:7000',
      nodes: [
        { host: 'a', port: 6379 },
        { host: 'b', port: 7000 },
      ],
      isEncrypted: true,
      login: { username: 'feed', password: 'pass' },
    },
  ],
  [
    'redis-sentinel://:pass@a,b:7000/my%20primary/3?sentinel-user=feed&sentinel-password=s%40%2B',
    {
      kind: 'sentinel',
      hosts: 'a,b:7000',
      nodes: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 7000 },
      ],
      login: { password: 'pass' },
      database: 3,
      primary: 'my primary',
      sentinelLogin: { username: 'feed', password: 's@+' },
    },
  ],
] as const)('reads %s', ([text, expected]) => {
  expect(readRedisUrl(text)).toEqual({ ok: true, address: { ...server, ...expected } })
})

test.for([
  ['localhost:6379', /^must be the URL of a Redis server/],
  ['redis://', /^must be the URL of a Redis server/],
  ['redis://a,b', /^must be the URL of a Redis server/],
  ['redis://a?db=1', /^must be the URL of a Redis server/],
  ['redis-constellation://a', /^must be the URL of a Redis server/],
  ['redis-cluster://a,,b', /^must list servers of the cluster/],
  ['redis-cluster://a:port', /^must list servers of the cluster/],
  ['redis-cluster://:50%@a', /^must list servers of the cluster/],
  ['redis-cluster://a/1', /^must not end with a database number/],
  ['redis-sentinel://a,b', /^must list Sentinels and end with their name/],
  ['redis-sentinel://a/name/x', /^must list Sentinels and end with their name/],
] as const)('describes what is wrong with %s', ([text, problem]) => {
  expect(readRedisUrl(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) })
})
