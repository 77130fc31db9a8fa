import { describe, expect, it } from 'vitest'
import { type ServerSettings, serverSettings } from '../../src/config/programs.ts'
import { readSettings } from '../../src/config/read.ts'

const read = (env: Record<string, string>) => readSettings(serverSettings, env, '/srv/bell')

function settings(env: Record<string, string>): ServerSettings {
  const result = read(env)
  if ('mistakes' in result) throw new Error(result.mistakes.join())
  return result.settings
}

/** What `link.key` may hold: bytes that no environment can. */
const kept = Buffer.alloc(32, '\xff\0\n')

describe('the settings', () => {
  it('have a default each', () => {
    expect(settings({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      dataDir: '/srv/bell/data',
      projectId: undefined,
      publicUrl: null,
      trustProxy: [],
      logLevel: 'warn',
      visits: 'page',
      rateLimit: 100,
      rateLimitDay: 1000,
      linkKey: null,
      confirmation: null,
      features: expect.any(Object),
      ofFeatures: expect.any(Object),
      notify: null,
      events: null,
      metrics: null,
    })
  })

  it('take an empty variable for one that is not set', () => {
    const names = [
      ...'PORT METRICS_PORT HOST DATA_DIR PUBLIC_URL TRUST_PROXY LOG_LEVEL'.split(' '),
      ...'RATE_LIMIT LINK_KEY STORE GOOGLE_CLOUD_PROJECT NOTIFY_URL NOTIFY_MAIL'.split(' '),
      ...'NOTIFY_AT'.split(' '),
    ]
    const empty = Object.fromEntries(names.map((name) => [name, ' ']))
    expect(settings(empty)).toEqual(settings({}))
  })

  it.each<[string, string, Partial<ServerSettings>]>([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['METRICS_PORT', '9464', { metrics: { port: 9464, host: '127.0.0.1' } }],
    ['METRICS_PORT', 'off', { metrics: null }],
    ['HOST', '::', { host: '::' }],
    ['HOST', 'localhost', { host: '127.0.0.1' }],
    ['HOST', 'a', { host: 'a' }],
    ['DATA_DIR', '/srv/Ünser $ 5/a~', { dataDir: '/srv/Ünser $ 5/a~' }],
    ['PUBLIC_URL', 'https://example.com', { publicUrl: 'https://example.com' }],
    ['PUBLIC_URL', 'https://Example.com/', { publicUrl: 'https://example.com' }],
    ['PUBLIC_URL', 'http://192.168.0.2:3000', { publicUrl: 'http://192.168.0.2:3000' }],
    ['TRUST_PROXY', 'off', { trustProxy: [] }],
    ['TRUST_PROXY', 'loopback', { trustProxy: ['loopback'] }],
    ['TRUST_PROXY', '127.0.0.1, 10.0.0.0/8', { trustProxy: ['127.0.0.1', '10.0.0.0/8'] }],
    ['TRUST_PROXY', '2001:db8::/32', { trustProxy: ['2001:db8::/32'] }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['DATA_DIR', "/srv/Ada's $bell", { dataDir: "/srv/Ada's $bell" }],
    ['RATE_LIMIT', '0', { rateLimit: 0, rateLimitDay: 0 }],
    ['RATE_LIMIT_DAY', '0', { rateLimit: 100, rateLimitDay: 0 }],
    ['RATE_LIMIT_DAY', '50', { rateLimitDay: 50 }],
    ['LINK_KEY', 'x'.repeat(32), { linkKey: Buffer.from('x'.repeat(32)) }],
    ['LINK_KEY', `base64:${kept.toString('base64')}`, { linkKey: kept }],
    ['GOOGLE_CLOUD_PROJECT', 'our-project', { inbox: { projectId: 'our-project' } }],
    ['GOOGLE_APPLICATION_CREDENTIALS', 'key.json', { inbox: { projectId: undefined } }],
  ])('%s may be "%s"', (name, value, expected) => {
    expect(settings({ [name]: value })).toEqual({ ...settings({}), ...expected })
  })

  it.each([
    ['DATA_DIR', '~/x'],
    ['DATA_DIR', '$HOME/x'],
    ['DATA_DIR', '%USERPROFILE%/x'],
    ['DATA_DIR', '"/srv/x"'],
    ['DATA_DIR', 's3://x'],
    ['DATA_DIR', ':memory:'],
    ['DATA_DIR', 'C:\\data'],
    ['PORT', '-1'],
    ['METRICS_PORT', 'on'],
    ['METRICS_HOST', 'a b'],
    ['PORT', '65536'],
    ['PORT', '3000.5'],
    ['HOST', 'http://localhost'],
    ['PUBLIC_URL', 'example.com'],
    ['PUBLIC_URL', 'https://example.com/launch'],
    ['PUBLIC_URL', 'https://user@example.com'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.0/8x'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', 'proxy.example.com'],
    ['LOG_LEVEL', 'loud'],
    ['RATE_LIMIT', '-5'],
  ])('%s may not be "%s", and the mistake is named in one line', (name, value) => {
    const result = read({ [name]: value })
    expect(result).toEqual({
      mistakes: [expect.stringContaining(`${name}: is "${value}", must be `)],
    })
    expect(result).not.toEqual({ mistakes: [expect.stringContaining('\n')] })
  })

  it('ask whoever signs up back where all is there that it takes', () => {
    const all = {
      CONFIRM: 'on',
      SMTP_URL: 'smtp://localhost:2525',
      MAIL_FROM: 'Ada <ada@example.com>',
      PUBLIC_URL: 'https://example.com',
    }
    expect(settings(all).confirmation).toEqual({
      smtpUrl: all.SMTP_URL,
      mailFrom: all.MAIL_FROM,
      isIpKept: false,
    })
    expect(settings({ ...all, CONSENT_IP: 'on' }).confirmation?.isIpKept).toBe(true)
    expect(read({ ...all, CONSENT_IP: 'yes' })).toEqual({
      mistakes: ['CONSENT_IP: is "yes", must be on or off'],
    })
    expect(settings({ CONSENT_IP: 'yes' }).confirmation).toBeNull()
    expect(settings({ ...all, PUBLIC_URL: 'http://127.0.0.1:3000' }).confirmation).not.toBeNull()
    expect(settings({ ...all, CONFIRM: 'off' }).confirmation).toBeNull()
  })

  it('say in a line each what is missing for that', () => {
    expect(read({ CONFIRM: 'on' })).toEqual({
      mistakes: [
        expect.stringMatching('^PUBLIC_URL: is not set, must begin with https://'),
        expect.stringMatching('^SMTP_URL: is not set, must be like smtp://'),
        expect.stringMatching('^MAIL_FROM: is not set, must be like Meridian'),
      ],
    })
    expect(read({ CONFIRM: 'yes' })).toEqual({
      mistakes: ['CONFIRM: is "yes", must be on or off'],
    })
    const secret = { CONFIRM: 'on', SMTP_URL: 'ada:secret', MAIL_FROM: 'Ada' }
    const { mistakes = [] } = read({ ...secret, PUBLIC_URL: 'http://example.com' }) as {
      mistakes?: string[]
    }
    expect(mistakes).toHaveLength(3)
    expect(mistakes[0]).toMatch(
      /^PUBLIC_URL: is "http:\/\/example\.com", must begin with https:\/\/ for CONFIRM=on,/,
    )
    expect(mistakes.join()).not.toContain('secret')
  })

  it.each([
    ['PUBLIC_URL', 'x', 'like https://example.com, with no path'],
    [
      'LINK_KEY',
      'x'.repeat(31),
      'at least 32 characters, such as "openssl rand -base64 32" prints',
    ],
    ['TRUST_PROXY', 'x', 'off, or the addresses of your proxies'],
    ['LOG_LEVEL', 'x', 'one of trace, debug, info'],
    ['PORT', 'x', 'a whole number from 0 to 65535'],
    ['HOST', '-', 'a host name or an IP address'],
  ])('say what %s must be', (name, value, must) => {
    expect(read({ [name]: value })).toEqual({
      mistakes: [expect.stringContaining(`must be ${must}`)],
    })
  })

  it('name every mistake at once', () => {
    expect(read({ PORT: 'x', LOG_LEVEL: 'x' })).toMatchObject({
      mistakes: [expect.stringMatching(/^PORT/), expect.stringMatching(/^LOG_LEVEL/)],
    })
  })
})
