import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Outcome } from '../src/shared/outcome.ts'
import { EMAIL_SLOT, type SiteManifest, site, unsubscribeSteps } from '../src/shared/site.ts'

/** Stands for the page that is served where there is nothing. */
export const NOT_FOUND = '<p id="not-found"></p>'

/** What a build leaves for the server, in small: the same places, one page, one script. */
export function writeSiteFixture(root: string): void {
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const index = `<!doctype html><title>Fixture</title>${'<p>Coming soon</p>'.repeat(50)}`
  write(`${site.public}/index.html`, index)
  write(`${site.public}/index.html.br`, brotliCompressSync(index))
  write(`${site.public}/index.html.gz`, gzipSync(index))
  write(`${site.public}/assets/main-abc123.js`, 'export {}')
  write(`${site.public}/${site.notFoundPage}`, NOT_FOUND)
  write(`${site.public}/robots.txt`, 'User-agent: *')

  const outcomes: Outcome[] = ['subscribed', 'invalid-email', 'database-unavailable', 'failed']
  for (const outcome of outcomes)
    write(site.outcomePage(outcome), `<p id="${outcome}"></p><input value="${EMAIL_SLOT}">`)
  for (const step of unsubscribeSteps) write(site.unsubscribePage(step), `<p id="${step}"></p>`)

  const manifest: SiteManifest = {
    publicUrl: null,
    scriptHashes: ["'sha256-script'"],
    styleHashes: ["'sha256-style'"],
  }
  write(site.manifest, JSON.stringify(manifest))
}
