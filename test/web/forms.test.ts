import express from 'express'
import supertest from 'supertest'
import { describe, expect, test } from 'vitest'
import { formOf, readForm, requireSameOrigin } from '../../src/web/forms.ts'

const publicUrl = 'https://feeds.example.org/hillside'

const application = express()
  .use(
    requireSameOrigin(() => ({ publicUrl, isPublicUrlSet: true, path: '/admin' })),
    readForm,
  )
  .post('/admin', (request, response) => void response.send(formOf(request).get('places')))

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

test('accepts a form with 500 places', async () => {
  const place = 'Station 1, 12 Mill Road, Cedar Hollow | 12 Mill Road, NY | 42.5, -74.2'
  const places = Array.from({ length: 500 }, () => place).join('\r\n')
  const { status, text } = await supertest(application).post('/admin').type('form').send({ places })
  expect([status, text]).toEqual([200, places])
})
