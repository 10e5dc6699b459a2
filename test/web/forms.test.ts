import express from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { formOf, readForm, readUpload } from '../../src/web/forms.ts'

const application = express()
  .use(readForm)
  .post('/admin', (request, response) => void response.send(formOf(request).get('places')))

test('accepts a form with 500 places', async () => {
  const place = 'Station 1, 12 Mill Road, Cedar Hollow | 12 Mill Road, NY | 42.5, -74.2'
  const places = Array.from({ length: 500 }, () => place).join('\r\n')
  const { status, text } = await supertest(application).post('/admin').type('form').send({ places })
  expect([status, text]).toEqual([200, places])
})

test('does not escape pictures, which would delay other requests', async () => {
  const picture = Buffer.alloc(100_000, 255)
  const bodies: unknown[] = []
  const uploads = express().post('/admin', ...readUpload, (request, response) => {
    bodies.push(request.body)
    formOf(request).delete('picture')
    response.send(formOf(request).get('picture'))
  })
  const form = supertest(uploads).post('/admin').field('name', 'Cedar Hollow')
  const { text } = await form.attach('picture', picture, {
    contentType: 'image/png',
    filename: 'a',
  })
  expect(text).toBe(`data:image/png;base64,${picture.toString('base64')}`)
  expect(bodies).toEqual([expect.any(URLSearchParams)])
})
