/**
 * `node scripts/disposable-domains.ts`: renews the list of disposable domains, from the npm package
 * that is made of github.com/disposable-email-domains/disposable-email-domains, in the public domain
 * (CC0). Nothing of the package is installed or run.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isPublicProvider } from '../src/shared/public-providers.ts'

const PACKAGE = 'disposable-email-domains-js'
const LIST = join(import.meta.dirname, '../src/sign-up/signs/disposable-domains.txt')

const folder = mkdtempSync(join(tmpdir(), 'disposable-domains-'))
try {
  const args = ['pack', PACKAGE, '--silent', '--pack-destination', folder]
  const file = execFileSync('npm', args, { encoding: 'utf8' }).trim()
  execFileSync('tar', ['-xzf', file], { cwd: folder })
  const json = join(folder, 'package/dist/dict/disposable_email_blocklist.json')
  const domains: string[] = JSON.parse(readFileSync(json, 'utf8'))
  const kept = domains.filter((domain) => !isPublicProvider(domain)).toSorted()
  writeFileSync(LIST, `${kept.join('\n')}\n`)
  console.log(`${kept.length} domains of ${file} are in ${LIST}`)
} finally {
  rmSync(folder, { recursive: true })
}
