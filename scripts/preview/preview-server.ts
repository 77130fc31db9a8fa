import { spawn } from 'node:child_process'
import { existsSync, readFileSync, watch } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { inCode, productFolder } from '../../src/product/folders.mjs'
import { paths } from '../../src/shared/api.ts'
import { OPEN_URL_SLOT, site } from '../../src/site/site.ts'
import type { Preview } from './make.ts'
import { reachState } from './reach-state.ts'
import { ANSWERS, UNANSWERED, type View } from './views.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
}
/** What the page is made of in the founder's folder. */
const SOURCES = ['product.config.ts', 'launch.md', 'brand', 'public']
/** A save is often several changes. */
const CALM_MS = 200

/**
 * Serves the preview on this machine alone, and makes it anew with each save.
 *
 * @param port 0 for any free one.
 * @throws what is wrong with the settings, if there is nothing to show yet.
 */
export async function startPreview(port: number) {
  const folder = await mkdtemp(join(tmpdir(), 'opening-bell-preview-'))
  const shown = join(folder, 'shown')
  const streams = new Set<ServerResponse>()
  let mistakes = await make(folder, shown)
  if (mistakes) throw new Error(mistakes)

  const server = createServer((request, response) => {
    const asked = URL.parse(request.url ?? '/', 'http://preview')
    const send = (status: number, type: string, body: string | Buffer) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    if (!asked) return send(400, 'text/plain', 'That is no path.\n')
    const { pathname, searchParams } = asked
    // Another site's page must not read it by a name of its own for this machine.
    if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? ''))
      return send(421, 'text/plain', 'This is at localhost alone.\n')
    if (pathname === '/preview') return send(200, TYPES['.html'] ?? '', ownFile('page.html'))
    if (pathname === '/preview/preview.json')
      return send(
        200,
        TYPES['.json'] ?? '',
        JSON.stringify({
          ...preview(),
          mistakes,
          views: preview().views.map((view) => ({
            ...view,
            light: pathOf(view, 'light'),
            dark: pathOf(view, 'dark'),
          })),
        }),
      )
    if (pathname === '/preview/changes') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('\n')
      streams.add(response)
      response.on('close', () => streams.delete(response))
      return undefined
    }
    if (pathname === paths.config)
      return send(200, TYPES['.json'] ?? '', '{"mode":"embedded","appId":"x"}')
    if (pathname === paths.session)
      return send(200, TYPES['.json'] ?? '', '{"user":{"uid":"preview","isAnonymous":true}}')
    if (pathname === paths.opening) return send(200, TYPES['.json'] ?? '', '{}')
    if (pathname === paths.subscribers) return void answer(request, send)
    const [, scheme, file] = /^\/at\/(light|dark)\/(.+)$/.exec(pathname) ?? []
    const path = join(shown, normalize(`/${file ?? join(site.public, pathname)}`))
    if (!path.startsWith(shown) || !existsSync(path) || !extname(path))
      return send(404, 'text/plain', 'There is no such file.\n')
    const type = TYPES[extname(path)] ?? 'application/octet-stream'
    const content = readFileSync(path)
    if (!scheme || extname(path) !== '.html') return send(200, type, content)
    const html = inScheme(String(content), scheme, searchParams.get('doing') ?? '{}')
    if (!html) return send(400, 'text/plain', 'That is nothing to do.\n')
    return send(200, type, html)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))

  const preview = (): Preview => JSON.parse(readFileSync(join(shown, 'preview.json'), 'utf8'))
  let timer: NodeJS.Timeout | undefined
  let making = Promise.resolve()
  const remake = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      making = making.then(async () => {
        mistakes = await make(folder, shown)
        for (const stream of streams) stream.write('data: made\n\n')
      })
    }, CALM_MS)
  }
  const watchers = SOURCES.map((source) => join(productFolder, source))
    .filter((path) => existsSync(path))
    .map((path) => watch(path, { recursive: true }, remake))

  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    views: () => preview().views,
    schemes: () => preview().schemes,
    async close() {
      for (const watcher of watchers) watcher.close()
      clearTimeout(timer)
      for (const stream of streams) stream.end()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await making
      await rm(folder, { recursive: true })
    },
  }
}

const ownFile = (name: string) => readFileSync(join(import.meta.dirname, name))

/** Where a view is, as a visitor of that scheme sees it. */
export function pathOf({ file, reach, isSplash }: View, scheme: string): string {
  const doing = JSON.stringify({ ...reach, isSplash })
  return `/at/${scheme}/${file}?${new URLSearchParams({ doing })}`
}

/** A page for a visitor of that scheme, whatever this browser prefers; and what is done on it. */
function inScheme(html: string, scheme: string, doing: string): string | undefined {
  // It comes from an address, so it is read before it is part of a script.
  const reach = asJson(doing)
  if (!reach) return undefined
  return html
    .replace(/\(prefers-color-scheme:\s*(light|dark)\)/g, (_, one) =>
      one === scheme ? '(min-width:0)' : '(max-width:0)',
    )
    .replaceAll(OPEN_URL_SLOT, 'https://example.com/')
    .concat(`<script>(${reachState})(${reach})</script>`)
}

function asJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text)).replaceAll('<', '\\u003c')
  } catch {
    return undefined
  }
}

/** Answers a sign-up as its address wants it, and keeps nothing. */
async function answer(
  request: IncomingMessage,
  send: (status: number, type: string, body: string) => unknown,
): Promise<void> {
  let body = ''
  for await (const chunk of request) body = (body + chunk).slice(0, 1000)
  const [, name = ''] = /"email":"([^"@]*)@/.exec(body) ?? []
  if (name !== UNANSWERED) send(ANSWERS[name] ?? 201, 'application/json', '{}')
}

/** Makes everything in a process of its own. @returns what is wrong, if nothing new could be made. */
async function make(folder: string, shown: string): Promise<string | undefined> {
  const fresh = join(folder, 'fresh')
  const child = spawn(process.execPath, [inCode('scripts/preview/make.ts'), fresh], {
    cwd: productFolder,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const status = await new Promise((resolve) => child.on('close', resolve))
  if (status !== 0) return said.trim() || `it ended with ${status}`
  await rm(shown, { recursive: true, force: true })
  await rename(fresh, shown)
  return undefined
}
