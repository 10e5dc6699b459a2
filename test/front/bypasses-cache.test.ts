import { expect, test } from 'vitest'
import { bypassesCache } from '../../src/front/bypasses-cache.ts'

const isLimited = (url: string, method = 'GET') => bypassesCache({ method, url, headers: {} })

test.for([
  '/',
  '/?lang=es',
  '/events.ics?calendar=1,2&alarm=30',
  '/embed/all?show=calendar+1&show=events%2Fa%C3%A9',
  `/${'a'.repeat(249)}`,
])('does not limit the usual URL %s', (url) => {
  expect([isLimited(url), isLimited(url, 'HEAD')]).toEqual([false, false])
})

test.for(['/?', '/?&lang=es', '/?lang=es&&', '/#', '/?lang=%65s', '/%7e', `/${'a'.repeat(250)}`])(
  'limits another spelling, like %s, but only of pages',
  (url) => {
    expect([isLimited(url), isLimited(url, 'HEAD'), isLimited(url, 'POST')]).toEqual([
      true,
      true,
      false,
    ])
  },
)
