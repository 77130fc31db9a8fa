import { describe, expect, it } from 'vitest'
import { securityHeaders } from '../../src/site/security-headers.ts'

const inline = { scriptHashes: ["'sha256-one'", "'sha256-two'"], styleHashes: ["'sha256-three'"] }

/** What each directive of the policy allows. */
function policy(options: Partial<Parameters<typeof securityHeaders>[0]> = {}) {
  const headers = securityHeaders({ inline, formPosts: true, ...options })
  return Object.fromEntries(
    headers['content-security-policy'].split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources]
    }),
  )
}

describe('what a browser may do with the page', () => {
  it('is nothing but what is named', () => {
    expect(Object.keys(policy()).toSorted()).toEqual([
      ...'base-uri connect-src default-src font-src form-action frame-ancestors'.split(' '),
      ...'img-src manifest-src script-src style-src worker-src'.split(' '),
    ])
    expect(policy()['default-src']).toEqual(["'none'"])
    expect(policy()['worker-src']).toEqual(["'none'"])
  })

  it('is to run and to draw what the build made, and no more', () => {
    const { 'script-src': scripts, 'style-src': styles } = policy()
    expect(scripts).toEqual(["'self'", ...inline.scriptHashes])
    expect(styles).toEqual(["'self'", ...inline.styleHashes])
    expect(policy()).toMatchObject({
      'img-src': ["'self'", 'data:'],
      'font-src': ['data:'],
      'manifest-src': ["'self'"],
    })
  })

  it('is to call its own server, and the backends that are named', () => {
    expect(policy()['connect-src']).toEqual(["'self'"])
    expect(policy({ calls: ['https://a.example', 'https://b.example'] })['connect-src']).toEqual([
      "'self'",
      'https://a.example',
      'https://b.example',
    ])
  })

  it('is to post its form to its own server, where there is one', () => {
    expect(policy()['form-action']).toEqual(["'self'"])
    expect(policy({ formPosts: false })['form-action']).toEqual(["'none'"])
  })

  it('has foreign scripts and frames only where they are named', () => {
    const named = policy({
      scripts: ['https://s.example'],
      frames: ['https://f.example', 'https://g.example'],
    })
    expect(named['frame-src']).toEqual(['https://f.example', 'https://g.example'])
    expect(named['script-src']).toEqual(["'self'", ...inline.scriptHashes, 'https://s.example'])
  })

  it('is never to be framed, nor to have its links led elsewhere', () => {
    expect(policy()).toMatchObject({ 'base-uri': ["'none'"], 'frame-ancestors': ["'none'"] })
  })

  it('keeps it apart from other sites, and other sites from its answers', () => {
    expect(securityHeaders({ inline, formPosts: true })).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'permissions-policy': expect.stringContaining('camera=()'),
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
  })
})
