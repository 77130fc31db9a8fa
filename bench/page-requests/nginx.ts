import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'
import { type Running, start, workFolder } from '../processes.ts'

export interface Nginx extends Running {
  readonly url: string
}

/** On Debian it is not on the `PATH` of ordinary users. */
const PLACES = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/opt/homebrew/bin',
  ...(process.env.PATH ?? '').split(':'),
]

/**
 * One worker of nginx that serves a file as it is, and with the same headers, from a folder of its
 * own.
 *
 * @returns nothing where there is no nginx.
 */
export async function startNginx(
  file: string,
  headers: Readonly<Record<string, string>>,
): Promise<Nginx | undefined> {
  const program = PLACES.map((place) => join(place, 'nginx')).find((path) => existsSync(path))
  if (!program) return undefined
  const folder = join(workFolder, 'nginx')
  mkdirSync(join(folder, 'public'), { recursive: true })
  cpSync(file, join(folder, 'public/index.html'))
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  const lines = Object.entries(headers).map(
    ([name, value]) => `add_header ${name} "${value.replaceAll('"', '\\"')}";`,
  )
  writeFileSync(
    config,
    // Started by root, its worker would run as a user who cannot read the folder.
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr notice;
events { worker_connections 1024; }
http {
  access_log off; etag off; keepalive_requests 1000000000; open_file_cache max=10;
  default_type text/html;
  client_body_temp_path ${folder}/1; proxy_temp_path ${folder}/2; fastcgi_temp_path ${folder}/3;
  uwsgi_temp_path ${folder}/4; scgi_temp_path ${folder}/5;
  server { listen 127.0.0.1:${port}; root ${folder}/public; ${lines.join(' ')} }
}`,
  )
  const nginx = await start(program, ['-p', folder, '-c', config, '-e', 'stderr'], {
    ready: /start worker process \d+/,
    stopSignal: 'SIGTERM',
  })
  return { ...nginx, url: `http://127.0.0.1:${port}` }
}
