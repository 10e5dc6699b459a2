import express from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { trustProxies } from '../../src/web/trust-proxies.ts'

test.for([
  ['192.0.2.1, 192.0.2.2', '192.0.2.2'],
  ['192.0.2.1:50211', '192.0.2.1'],
  ['a'.repeat(15_500), '127.0.0.1'],
] as const)('finds the same address as the front: %s', async ([forwarded, address]) => {
  const application = express()
  trustProxies(application, 1)
  application.get('/', ({ ip, protocol }, response) => void response.json({ ip, protocol }))
  const headers = { 'X-Forwarded-For': forwarded, 'X-Forwarded-Proto': 'https' }
  const { body } = await supertest(application).get('/').set(headers)
  expect(body).toEqual({ ip: expect.stringContaining(address), protocol: 'https' })
})
