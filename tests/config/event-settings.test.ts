import { expect, it } from 'vitest'
import { serverSettings } from '../../src/config/programs.ts'
import { readSettings } from '../../src/config/read.ts'
import { webhookSecret } from '../fixtures/receiver.ts'

const whole = {
  EVENTS_URL: 'https://crm.example.com/in?key=TOP-SECRET',
  EVENTS: 'subscribed, left,forgotten',
  EVENTS_SECRET: webhookSecret,
}
const read = (env: Record<string, string>) => readSettings(serverSettings, env, '/srv')
const eventsOf = (env: Record<string, string>) => {
  const found = read(env)
  return 'settings' in found ? found.settings.events : found.mistakes
}

it('no event is sent unless it is asked for by name', () => {
  expect(eventsOf({})).toBeNull()
  expect(eventsOf(whole)).toMatchObject({
    url: whole.EVENTS_URL,
    types: ['subscribed', 'left', 'forgotten'],
  })
})

it('two secrets sign while one is being changed, with a space or a comma between them', () => {
  for (const between of [' ', ',', ', '])
    expect(
      eventsOf({ ...whole, EVENTS_SECRET: `${webhookSecret}${between}${webhookSecret}` }),
    ).toMatchObject({ secrets: [expect.any(Buffer), expect.any(Buffer)] })
})

it.each([
  ['EVENTS_URL', 'http://crm.example.com/in'],
  ['EVENTS_URL', 'https://user:word@crm.example.com/'],
  ['EVENTS_URL', 'https://a.example https://b.example'],
  ['EVENTS_URL', ''],
  ['EVENTS', 'everything'],
  ['EVENTS', ''],
  ['EVENTS', 'subscribed'],
  ['EVENTS_SECRET', 'whsec_dG9vIHNob3J0'],
  ['EVENTS_SECRET', `${webhookSecret},${webhookSecret},${webhookSecret}`],
  ['EVENTS_SECRET', ''],
])('%s: %j gets one line that says what would be right, and repeats no secret', (name, value) => {
  const mistakes = eventsOf({ ...whole, [name]: value }) as readonly string[]
  expect(mistakes).toHaveLength(1)
  expect(mistakes[0]).toMatch(new RegExp(`^${name}: `))
  expect(mistakes[0]).not.toMatch(/TOP-SECRET|user:word|a word|\n/)
})

it('a receiver on this machine may do without TLS', () => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]'])
    expect(eventsOf({ ...whole, EVENTS_URL: `http://${host}:8080/in` })).toMatchObject({
      url: `http://${host}:8080/in`,
    })
})
