import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, vi } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { run } from '../fixtures/run.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

export const DOMAIN = 'example.com'

/** A proxy with the configuration of docs/deploy.md, on ports of its own. */
export interface RunningProxy {
  readonly http: number
  readonly https: number
}

/** Where the proxy leads: the ports that stand for 3000 and 8080 of the document. */
interface Upstream {
  readonly bell: string
  readonly product: string
}

export type ProxyName = 'caddy' | 'nginx'

const document = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8')

const composeFile = readFileSync(join(import.meta.dirname, '../../compose.yaml'), 'utf8')

/** The blocks of a document in one language, in their order. */
function blocks(language: string): string[] {
  return [...document.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, text = '']) => text,
  )
}

const replaceAll = (text: string, changes: Record<string, string>) =>
  Object.entries(changes).reduce((all, [from, to]) => all.replaceAll(from, to), text)

/** How to call the proxy: only root has Debian's nginx on its PATH. */
const commandOf = (name: ProxyName) =>
  [name, `/usr/sbin/${name}`].find((command) => !spawnSync(command, ['-h']).error)

/**
 * Skips the test on a machine that lacks the proxy; where `REQUIRE_PROXIES` is set, it fails.
 *
 * @returns how to call it.
 */
export function mustBeThere(context: TestContext, name: ProxyName): string {
  const command = commandOf(name)
  if (command) return command
  if (process.env.REQUIRE_PROXIES === '1') throw new Error(`there is no ${name}`)
  return context.skip(`there is no ${name}`)
}

/**
 * Where its configuration is: in the document, there with the product on the domain (and a page in
 * German too), or in compose.yaml.
 */
export type Shown = 'document' | 'launch-day' | 'launch-day-in-german' | 'compose'

/**
 * Starts nginx or Caddy as it is shown. Only ports, files and who signs the certificate are others.
 */
export async function startProxy(
  name: ProxyName,
  upstream: Upstream,
  shown: Shown = 'document',
): Promise<RunningProxy> {
  const folder = tempDir()
  const ports = { http: await freePort(), https: await freePort() }
  const text = replaceAll(shown === 'compose' ? inCompose() : inDocument(name, shown), {
    'bell:3000': `127.0.0.1:${upstream.bell}`,
    '127.0.0.1:3000': `127.0.0.1:${upstream.bell}`,
    '127.0.0.1:8080': `127.0.0.1:${upstream.product}`,
  })
  const args = name === 'caddy' ? caddy(folder, text, ports) : nginx(folder, text, ports)
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const program = run(folder, [commandOf(name) ?? name, ...args], env)
  await vi.waitFor(
    async () => {
      if (!program.isRunning()) throw new Error(program.output())
      await listens(ports.http)
      await ask({ ...ports, from: '127.0.0.1' }, { path: '/' })
    },
    { timeout: 20_000, interval: 100 },
  )
  return ports
}

function inDocument(name: ProxyName, shown: Shown): string {
  const [before, after, line, ...more] = blocks(name)
  if (before === undefined || after === undefined || line === undefined || more.length > 0)
    throw new Error(`docs/deploy.md has no longer three blocks of ${name}`)
  if (shown === 'document') return before
  const launchDay = withLastPart(before, after)
  return shown === 'launch-day' ? launchDay : withLine(launchDay, line)
}

/** The text with the block's one line in the place of the line of the same name. */
function withLine(text: string, block: string): string {
  const line = block.trim()
  const name = line.slice(0, line.indexOf('/')).replace('^', '').trim()
  const lines = text.split('\n')
  const places = lines.filter((one) => one.trim().startsWith(name))
  if (places.length !== 1) throw new Error(`docs/deploy.md has ${places.length} lines "${name}"`)
  return lines.map((one) => (one === places[0] ? line : one)).join('\n')
}

function inCompose(): string {
  const [, text = ''] = /content: \|\n((?: {6}.*\n)+)/.exec(composeFile) ?? []
  return text.replaceAll(/^ {6}/gm, '').replaceAll(/\$\{DOMAIN\}/g, DOMAIN)
}

/** The text with its last part replaced: one that begins at the edge and ends in a brace. */
function withLastPart(text: string, part: string): string {
  const begin = text.trimEnd().lastIndexOf('\n}\n\n')
  if (begin < 0) throw new Error('docs/deploy.md shows one part alone')
  return `${text.slice(0, begin + 4)}${part}`
}

function caddy(folder: string, text: string, { http, https }: RunningProxy): string[] {
  const file = join(folder, 'Caddyfile')
  const options = `admin off\nskip_install_trust\nlocal_certs\nhttp_port ${http}\nhttps_port ${https}`
  writeFileSync(file, `{\n${options}\ndefault_bind 127.0.0.1\n}\n${text}`)
  return ['run', '--config', file, '--adapter', 'caddyfile']
}

function nginx(folder: string, text: string, { http, https }: RunningProxy): string[] {
  const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
  const names = ['-subj', `/CN=${DOMAIN}`, '-keyout', key, '-out', certificate]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const { status, stderr } = spawnSync('openssl', ['req', ...kind, '-days', '2', ...names])
  if (status !== 0) throw new Error(String(stderr))
  const site = replaceAll(text.replaceAll(/^\s*listen \[::\].*\n/gm, ''), {
    'listen 80;': `listen 127.0.0.1:${http};`,
    'listen 443 ': `listen 127.0.0.1:${https} `,
    [`/etc/letsencrypt/live/${DOMAIN}`]: folder,
  })
  mkdirSync(join(folder, 'temp'))
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${folder}/temp;`,
  )
  // As Debian's nginx.conf: gzip is on there.
  const inHttp = ['access_log off;', 'gzip on;', 'server_tokens off;', ...temp, site].join('\n')
  const user = process.geteuid?.() === 0 ? 'user root;' : ''
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `${user}daemon off;pid ${folder}/pid;error_log stderr;events{}\nhttp{\n${inHttp}\n}`,
  )
  return ['-p', folder, '-c', file]
}

function listens(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', reject).on('connect', () => resolve(void socket.end()))
  })
}

export interface Question {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Asks over TLS as a visitor does. @param from the visitor's address, one of loopback. */
export function ask(
  { https, from, host = DOMAIN }: { https: number; from: string; host?: string },
  { path, method = 'GET', headers = {}, body }: Question,
) {
  return new Promise<{
    status: number
    headers: Readonly<Record<string, unknown>>
    body: Buffer
  }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: https, localAddress: from, servername: host }
    const question = request(
      // Signed by nobody: the certificate is not what is tested.
      { ...options, path, method, rejectUnauthorized: false, headers: { host, ...headers } },
      async (answer) => {
        const { statusCode: status = 0, headers: named } = answer
        resolve({ status, headers: named, body: await buffer(answer) })
      },
    )
    question.on('error', reject)
    question.end(body)
  })
}
