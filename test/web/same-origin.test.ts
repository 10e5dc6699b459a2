import express from 'express'
import supertest from 'supertest'
import { describe, expect, test } from 'vitest'
import { requireConfiguredOrigin } from '../../src/web/same-origin.ts'

const publicUrl = 'https://feeds.example.org/hillside'

const application = express()
  .use(requireConfiguredOrigin(() => ({ publicUrl, isPublicUrlSet: true, path: '/admin' })))
  .post('/admin', (_request, response) => void response.send('received'))

describe('with PUBLIC_URL', () => {
  test.for([
    [200, 'https://feeds.example.org'],
    [403, 'https://feeds.example.org.evil.example'],
    [403, 'https://feeds.example.org:8443'],
    [403, 'http://feeds.example.org'],
    [403, 'https://evil.example/https://feeds.example.org'],
    [403, 'null'],
  ] as const)('responds with %i to a form from %s', async ([status, origin]) => {
    const form = supertest(application).post('/admin').type('form').set('Origin', origin)
    expect((await form.send('places=')).status).toBe(status)
  })
})
