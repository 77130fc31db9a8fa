import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { inCode, productFolder } from '../../src/product/folders.mjs'
import { paths } from '../../src/shared/api.ts'
import { contentTypeOf } from '../../src/site/content-type.ts'
import { OPEN_URL_SLOT } from '../../src/site/site.ts'
import type { Preview } from './make.ts'
import { reachState } from './reach-state.ts'
import { ANSWERS } from './views.ts'

/** What the page is made of in the founder's folder. */
const SOURCES = ['product.config.ts', 'launch.md', 'brand', 'public']
/** A save is often several changes. */
const CALM_MS = 200
/** What is shown, and what was wrong with the last save. */
const LIST = 'preview/preview.json'

/** What the page asks its server for. */
const said: Readonly<Record<string, object>> = {
  [paths.config]: { mode: 'embedded', appId: 'preview' },
  [paths.session]: { user: { uid: 'preview', isAnonymous: true } },
  [paths.opening]: {},
}

/**
 * Serves the preview on this machine alone, and makes it anew with each save.
 *
 * @param port 0 for any free one.
 * @throws what is wrong with the settings, if there is nothing to show yet.
 */
export async function startPreview(port: number) {
  const folder = await mkdtemp(join(tmpdir(), 'opening-bell-preview-'))
  const shown = join(folder, 'shown')

  const server = createServer(async (request, response) => {
    /** @param name of a file: by its end a browser knows what it is. */
    const send = (status: number, name: string, body: string | Buffer) =>
      response
        .writeHead(status, { 'content-type': contentTypeOf(name), 'cache-control': 'no-store' })
        .end(body)
    const json = (status: number, value: object) =>
      send(status, 'answer.json', JSON.stringify(value))
    const refuse = (status: number, why: string) => send(status, 'answer.txt', `${why}\n`)
    const { pathname } = URL.parse(request.url ?? '/', 'http://preview') ?? {}
    if (pathname === undefined) return refuse(400, 'That is no path.')
    // Another site's page must not read it by a name of its own for this machine.
    if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? ''))
      return refuse(421, 'This is at localhost alone.')
    if (!existsSync(shown)) return refuse(503, 'The preview is being made.')
    // With a token, so that a page that asks something does.
    if (pathname === paths.subscribers) {
      const status = await statusFor(request)
      return status > 0 && json(status, { answer: 'preview' })
    }
    const answer = said[pathname]
    if (answer) return json(200, answer)
    const [, scheme, file = pathname] = /^\/at\/(light|dark)\/(.*)/.exec(pathname) ?? []
    const path = join(shown, normalize(`/${file === '/preview' ? 'preview/page.html' : file}`))
    const body = await readFile(path).catch(() => undefined)
    if (!body) return refuse(404, 'There is no such file.')
    const isPage = scheme !== undefined && path.endsWith('.html')
    return send(200, path, isPage ? inScheme(body.toString(), scheme) : body)
  })
  try {
    // First the port, since the making takes seconds.
    await once(server.listen(port, '127.0.0.1'), 'listening')
    const mistakes = await make(folder, shown)
    if (mistakes) throw new Error(mistakes)
  } catch (cause) {
    server.close()
    await rm(folder, { recursive: true, force: true })
    throw (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? new Error(`PORT: ${port} is in use, choose another one`, { cause })
      : cause
  }

  const preview = (): Preview => JSON.parse(readFileSync(join(shown, LIST), 'utf8'))
  let timer: NodeJS.Timeout | undefined
  let making = Promise.resolve()
  const remake = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      making = making.then(async () => {
        const mistakes = await make(folder, shown)
        if (mistakes) writeFileSync(join(shown, LIST), JSON.stringify({ ...preview(), mistakes }))
      })
    }, CALM_MS)
  }
  const watchers = SOURCES.map((source) => join(productFolder, source))
    .filter((path) => existsSync(path))
    .map((path) => watch(path, { recursive: true }, remake))

  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    preview,
    async close() {
      for (const watcher of watchers) watcher.close()
      clearTimeout(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await making
      await rm(folder, { recursive: true })
    },
  }
}

/** What a sign-up is answered, as its address wants it; nothing is kept. */
async function statusFor(request: IncomingMessage): Promise<number> {
  let body = ''
  for await (const chunk of request) body = (body + chunk).slice(0, 1000)
  const [, name = ''] = /"email":"([^"@]*)@/.exec(body) ?? []
  return ANSWERS[name] ?? 201
}

/** A page for a visitor of that scheme, whatever this browser prefers, who brings it into a state. */
function inScheme(html: string, scheme: string): string {
  return html
    .replace(/\(prefers-color-scheme:\s*(light|dark)\)/g, (_, one) =>
      one === scheme ? '(min-width:0)' : '(max-width:0)',
    )
    .replaceAll(OPEN_URL_SLOT, 'https://example.com/')
    .concat(`<script>(${reachState})()</script>`)
}

/** Makes everything in a process of its own. @returns what is wrong, if nothing new could be made. */
async function make(folder: string, shown: string): Promise<string | undefined> {
  const fresh = join(folder, 'fresh')
  const program = [inCode('scripts/preview/make.ts'), fresh]
  const failed = await promisify(execFile)(process.execPath, program, { cwd: productFolder }).then(
    () => undefined,
    ({ stdout = '', stderr = '', message }) => `${stdout}${stderr}`.trim() || String(message),
  )
  if (failed !== undefined) return failed
  await rm(shown, { recursive: true, force: true })
  await rename(fresh, shown)
  return undefined
}
