import { join } from 'node:path'
import { serverNodeOptions } from '../../shared/server-node-options.mjs'

/** What the service needs to know of where it is installed; real paths, without symbolic links. */
export interface Place {
  /** The founder's folder. */
  readonly root: string
  /** The folder of our code, where it is another one. */
  readonly code?: string
  /** The Node that runs it. */
  readonly node: string
}

/** A file that the installation writes. */
export interface ServiceFile {
  readonly path: string
  readonly mode: number
  readonly text: string
  /** Belongs to the operator once it is there, and is then left alone. */
  readonly onceOnly?: boolean
}

/** The names that all of the files use. */
export const service = {
  unit: 'opening-bell.service',
  watchdog: 'opening-bell-watchdog.timer',
  backup: 'opening-bell-backup.timer',
  rehearsal: 'opening-bell-rehearsal.timer',
  user: 'opening-bell',
  dataDir: '/var/lib/opening-bell',
  /** A place of its own, so that a user who may read copies needs no access to the list. */
  backups: '/var/lib/opening-bell-backups',
  settings: '/etc/opening-bell.env',
  users: '/etc/sysusers.d/opening-bell.conf',
  tool: '/usr/local/bin/opening-bell',
  /** How the operator calls that, as only root can become the service's user. */
  call: 'sudo opening-bell',
} as const

const backupService = 'opening-bell-backup.service'

/** Only the units: the server, the watchdog that checks it every minute, and the back-ups. */
export function unitFiles(place: Place): ServiceFile[] {
  const folder = '/etc/systemd/system'
  return [
    { path: `${folder}/${service.unit}`, mode: 0o644, text: serverUnit(place) },
    { path: `${folder}/opening-bell-watchdog.service`, mode: 0o644, text: watchdogUnit(place) },
    { path: `${folder}/${service.watchdog}`, mode: 0o644, text: watchdogTimer },
    { path: `${folder}/${backupService}`, mode: 0o644, text: backupUnit(place) },
    { path: `${folder}/${service.backup}`, mode: 0o644, text: backupTimer },
    { path: `${folder}/opening-bell-rehearsal.service`, mode: 0o644, text: rehearsalUnit(place) },
    { path: `${folder}/${service.rehearsal}`, mode: 0o644, text: rehearsalTimer },
  ]
}

/** @param publicUrl the one that the page was built with. */
export function serviceFiles(place: Place, publicUrl: string | null): ServiceFile[] {
  return [
    { path: service.users, mode: 0o644, text: users },
    ...unitFiles(place),
    { path: service.settings, mode: 0o600, text: settings(publicUrl), onceOnly: true },
    { path: service.tool, mode: 0o755, text: tool(place) },
  ]
}

const head = `# Written by "bin/opening-bell install --systemd". To change something, use "systemctl edit",
# which an update leaves alone. The settings are in ${service.settings}.`

const users = `# Written by "bin/opening-bell install --systemd".
u ${service.user} - "Opening Bell" ${service.dataDir}
`

/**
 * Everything is forbidden that V8 and a server on TCP do not need. Two things are allowed: V8
 * writes machine code (MemoryDenyWriteExecute), and mail, DNS and visitors need the network. A
 * forbidden call fails with EPERM: libuv tries io_uring, and goes on without it.
 */
const sandbox = `User=${service.user}
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateMounts=yes
PrivateUsers=yes
ProtectHostname=yes
ProtectClock=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectProc=invisible
ProcSubset=pid
# Netlink lists the machine's addresses, which Fastify does for HOST=0.0.0.0.
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
TasksMax=128
# A core dump would hold addresses and keys.
LimitCORE=0`

function serverUnit(place: Place): string {
  const server = run(place, 'src/server/main.ts', serverNodeOptions)
  return `${head}
[Unit]
Description=Opening Bell
After=network.target
# Never gives up: a full disk or a missing network may be gone in an hour.
StartLimitIntervalSec=0

[Service]
Type=exec
# Compiles the code into the runtime folder, which goes when the service stops. The server then
# needs no compiler, which saves a sixth of its memory, and nothing that it could write is run
# by the next one.
ExecStartPre=-${server} --load
ExecStart=${server}
# "systemctl start" returns when the server answers; bringing an old list up may take a while.
ExecStartPost=-${probe(place)} 600
TimeoutStartSec=15min
Environment=DATA_DIR=${service.dataDir} NODE_COMPILE_CACHE=/run/opening-bell
Environment="OPENING_BELL_COMMAND=${service.call}"
EnvironmentFile=${service.settings}
StateDirectory=opening-bell
StateDirectoryMode=0700
RuntimeDirectory=opening-bell
RuntimeDirectoryMode=0700
Restart=always
RestartSec=2
# The server ends what it started, but for an announcement that the desk began: that one goes on
# while the server is restarted, as one from a terminal does.
KillMode=process
# The server finishes open requests within ten seconds.
TimeoutStopSec=30
LimitNOFILE=65536
${sandbox}

[Install]
WantedBy=multi-user.target
`
}

/**
 * Restarts a server that is silent for half a minute. One that answers "not ready" is left alone:
 * it shows the page, and takes sign-ups again by itself when its disk does.
 */
function watchdogUnit(place: Place): string {
  const isSilent = `[ "$$EXIT_STATUS" = 2 ] && systemctl is-active --quiet ${service.unit}`
  return `${head}
[Unit]
Description=Ask Opening Bell whether it is ready
After=${service.unit}

[Service]
Type=oneshot
ExecStart=${probe(place)} 30
# 2 is silence, 1 is "not ready": that one shows the page, and recovers by itself.
ExecStopPost=+/bin/sh -c 'if ${isSilent}; then systemctl --no-block try-restart ${service.unit}; fi'
EnvironmentFile=${service.settings}
${sandbox}
`
}

const watchdogTimer = `${head}
[Unit]
Description=Ask Opening Bell every minute whether it is ready
PartOf=${service.unit}
After=${service.unit}

[Timer]
OnActiveSec=1min
OnUnitInactiveSec=1min
AccuracySec=5s

[Install]
WantedBy=${service.unit}
`

/** A command of the operator's tool about the back-ups, which needs no network at all. */
function toolUnit(place: Place, does: string, command: string, after: string = service.unit) {
  return `${head}
[Unit]
Description=${does}
After=${after}

[Service]
Type=oneshot
ExecStart=${run(place, 'src/cli/main.ts')} backup ${command}
Environment=DATA_DIR=${service.dataDir} BACKUP_TO=${service.backups} BACKUP_KEEP=7,4,12
Environment="OPENING_BELL_COMMAND=${service.call}"
EnvironmentFile=${service.settings}
# For copies elsewhere, "systemctl edit" adds ReadWritePaths= with that folder.
StateDirectory=opening-bell opening-bell-backups
StateDirectoryMode=0700
Nice=10
PrivateNetwork=yes
${sandbox}
`
}

const backupUnit = (place: Place) => toolUnit(place, 'Back up Opening Bell', '--keep $BACKUP_KEEP')

/**
 * If both start together, the copy comes first, since a rehearsal of an older copy says nothing of
 * it.
 */
const rehearsalUnit = (place: Place) =>
  toolUnit(
    place,
    'Restore the newest back-up of Opening Bell as a test',
    '--rehearse',
    `${service.unit} ${backupService}`,
  )

/** A run that was missed while the machine was off is made up for. */
const timer = (does: string, when: string) => `${head}
[Unit]
Description=${does}

[Timer]
OnCalendar=${when}
RandomizedDelaySec=20min
Persistent=yes

[Install]
WantedBy=timers.target
`

const backupTimer = timer('Back up Opening Bell every night', '*-*-* 03:10')
const rehearsalTimer = timer('Test the newest back-up of Opening Bell every week', 'Sun 04:40')

const probe = (place: Place) => `${run(place, 'src/server/is-ready.ts')} --within`

/** A program of ours, as a unit names it. */
const run = (place: Place, program: string, nodeOptions: readonly string[] = []) =>
  [quoted(place.node), ...nodeOptions, quoted(inCode(place, program))].join(' ')

/** A package holds our programs as JavaScript. */
const inCode = ({ root, code }: Place, program: string) =>
  join(code ?? root, code === undefined ? program : program.replace(/\.ts$/, '.js'))

/** Quoted for a unit, in which `%` begins a specifier. `unitCanName` says which paths can be. */
const quoted = (path: string) => `"${path.replaceAll('%', '%%')}"`

/** Whether a unit and a shell can name a path in plain quotes. */
export const unitCanName = (path: string) => !/["'$`\\\p{Cc}]/u.test(path)

function settings(publicUrl: string | null): string {
  return `# The settings of Opening Bell, listed in docs/settings.md. Passwords may stand here:
# only root can read this file. NAME=value, or NAME='a value with # or quotation marks'.
# After a change: systemctl restart ${service.unit}
${publicUrl ? `PUBLIC_URL=${publicUrl}` : '# PUBLIC_URL=https://example.com'}
# The proxy that ends TLS is on this machine.
TRUST_PROXY=loopback
# SMTP_URL=smtp://user:password@mail.example.com:587
# MAIL_FROM='Meridian <hello@example.com>'
# NOTIFY_URL=https://hooks.slack.com/services/...
# Back-ups are made every night; days, weeks and months that are kept of them: docs/backups.md.
# BACKUP_KEEP=7,4,12
# BACKUP_PASSPHRASE='sixteen characters or more'
# BACKUP_SEAL_KEY=…
`
}

function tool(place: Place): string {
  return `#!/bin/sh
# Written by "bin/opening-bell install --systemd": the operator's tool with the service's settings
# and as its user. Only root can become that: ${service.call} status
exec '${place.node}' '${inCode(place, 'bin/as-service.mjs')}' "$@"
`
}
