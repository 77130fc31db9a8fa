import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, watch } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { inCode, productFolder } from '../../src/product/folders.mjs'
import { paths } from '../../src/shared/api.ts'
import { contentTypeOf } from '../../src/site/content-type.ts'
import { OPEN_URL_SLOT, site } from '../../src/site/site.ts'
import type { Preview } from './make.ts'
import { reachState } from './reach-state.ts'
import { ANSWERS, UNANSWERED, type View } from './views.ts'

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
  let mistakes: Awaited<ReturnType<typeof make>>
  let isMade = false

  const server = createServer((request, response) => {
    const asked = URL.parse(request.url ?? '/', 'http://preview')
    /** @param name of a file: by its end a browser knows what it is. */
    const send = (status: number, name: string, body: string | Buffer) =>
      response
        .writeHead(status, { 'content-type': contentTypeOf(name), 'cache-control': 'no-store' })
        .end(body)
    const json = (status: number, value: unknown) =>
      send(status, 'answer.json', JSON.stringify(value))
    const refuse = (status: number, why: string) => send(status, 'answer.txt', `${why}\n`)
    if (!asked) return refuse(400, 'That is no path.')
    if (!isMade) return refuse(503, 'The preview is being made.')
    const { pathname, searchParams } = asked
    // Another site's page must not read it by a name of its own for this machine.
    if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? ''))
      return refuse(421, 'This is at localhost alone.')
    if (pathname === '/preview')
      return send(200, 'page.html', readFileSync(join(import.meta.dirname, 'page.html')))
    if (pathname === '/preview/preview.json')
      return json(200, { ...withPaths(preview()), mistakes })
    if (pathname === '/preview/changes') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('\n')
      streams.add(response)
      response.on('close', () => streams.delete(response))
      return undefined
    }
    if (pathname === paths.config) return json(200, { mode: 'embedded', appId: 'preview' })
    if (pathname === paths.session)
      return json(200, { user: { uid: 'preview', isAnonymous: true } })
    if (pathname === paths.opening) return json(200, {})
    // With a token, so that a page that asks something does.
    if (pathname === paths.subscribers)
      return void answer(request, (status) => json(status, { answer: 'preview' }))
    const [, scheme, file] = /^\/at\/(light|dark)\/(.+)$/.exec(pathname) ?? []
    const path = join(shown, normalize(`/${file ?? join(site.public, pathname)}`))
    if (!path.startsWith(shown) || !existsSync(path) || !extname(path))
      return refuse(404, 'There is no such file.')
    const content = readFileSync(path)
    if (!scheme || extname(path) !== '.html') return send(200, path, content)
    const html = inScheme(String(content), scheme, searchParams.get('doing') ?? '{}')
    return html ? send(200, path, html) : refuse(400, 'That is nothing to do.')
  })
  try {
    // First the port, since the making takes seconds.
    await once(server.listen(port, '127.0.0.1'), 'listening')
    mistakes = await make(folder, shown)
    if (mistakes) throw new Error(mistakes)
    isMade = true
  } catch (cause) {
    server.close()
    await rm(folder, { recursive: true, force: true })
    throw (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? new Error(`PORT: ${port} is in use, choose another one`, { cause })
      : cause
  }

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

/** Where a view is, as a visitor of that scheme sees it. */
export function pathOf({ file, reach, isSplash }: View, scheme: string): string {
  const doing = JSON.stringify({ ...reach, isSplash })
  return `/at/${scheme}/${file}?${new URLSearchParams({ doing })}`
}

const withPaths = (preview: Preview) => ({
  ...preview,
  views: preview.views.map((view) => ({
    ...view,
    light: pathOf(view, 'light'),
    dark: pathOf(view, 'dark'),
  })),
})

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
async function answer(request: IncomingMessage, send: (status: number) => unknown): Promise<void> {
  let body = ''
  for await (const chunk of request) body = (body + chunk).slice(0, 1000)
  const [, name = ''] = /"email":"([^"@]*)@/.exec(body) ?? []
  if (name !== UNANSWERED) send(ANSWERS[name] ?? 201)
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
