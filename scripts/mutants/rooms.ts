export interface Room {
  /** What is mutated. */
  readonly mutate: readonly string[]
  /** The tests that are to notice. One that only starts programs cannot: they run the code as it is. */
  readonly tests: readonly string[]
  /** What the first run loads before what is mutated: else that would find the real network. */
  readonly first?: string
  /** Its tests start emulators, once more after each mistake that ended by time. */
  readonly hasEmulators?: true
}

export const rooms: Readonly<Record<string, Room>> = {
  shared: {
    mutate: ['src/shared/*.ts', '!src/shared/plain-line.ts'],
    tests: [
      ...['tests/shared/*.test.ts', 'tests/server/{api,form,join,site}.test.ts'],
      // What is shared is also what several faces say, and what the product is checked for.
      'tests/announcement/{preflight/*,translations}.test.ts',
      'tests/opening/*.test.ts',
      'tests/product/languages.test.ts',
      'tests/desk/server/letters/{progress,run-log,run-words}.test.ts',
      'tests/cli/commands/outbox.test.ts',
    ],
  },
  site: {
    mutate: ['src/site/*.ts'],
    tests: ['tests/site/*.test.ts', 'tests/server/site{,-files}.test.ts'],
  },
  keys: {
    mutate: ['src/keys/*.ts'],
    tests: ['tests/keys/*.test.ts', 'tests/server/{confirm,unsubscribe}.test.ts'],
  },
  client: {
    mutate: [
      'src/client/{answering,firebase-client,firestore-record,http-client,server-clock,subscribe-client}.ts',
    ],
    tests: ['tests/client/{firebase-client,http-client,server-clock}.test.ts'],
    first: 'tests/emulators/google-in-node.ts',
    hasEmulators: true,
  },
  web: { mutate: ['src/web/{opening-date,suggest-domain}.ts'], tests: ['tests/web/*.test.ts'] },
  words: {
    mutate: ['src/words/{catalogue,mistakes,page-words,phrases,slots,word-list}.ts'],
    tests: ['tests/words/*.test.ts'],
  },
  product: {
    mutate: ['src/product/{language*,time-zone}.ts'],
    tests: ['tests/product/{language*,time-zone}.test.ts'],
  },
  mail: { mutate: ['src/mail/**/*.ts'], tests: ['tests/mail/**/*.test.ts'] },
  store: {
    mutate: ['src/store/*.ts', 'src/store/{sqlite,roll}/**/*.ts'],
    tests: [
      'tests/store/!(moving).test.ts',
      'tests/store/{sqlite,roll}/*.test.ts',
      'tests/keys/*.test.ts',
    ],
  },
  // On the emulator, each mistake takes as long as all that comes by it.
  firestore: {
    mutate: ['src/store/firestore/*.ts', 'src/store/firestore/migrations/*.ts'],
    tests: [
      'tests/store/firestore/*.test.ts',
      'tests/store/{store,standing,backups}.test.ts',
      'tests/server/confirm-firestore.test.ts',
    ],
    hasEmulators: true,
  },
  opening: { mutate: ['src/opening/*.ts'], tests: ['tests/{opening,desk/server}/*.test.ts'] },
  audience: {
    mutate: ['src/audience/*.ts'],
    tests: [
      'tests/audience/!(million-sources).test.ts',
      'tests/store/store.test.ts',
      'tests/server/{referrals,visits}.test.ts',
      'tests/{cli/commands,desk/server}/referrals.test.ts',
    ],
  },
  outbox: {
    mutate: ['src/outbox/*.ts'],
    tests: ['tests/outbox/*.test.ts', 'tests/server/confirm.test.ts'],
  },
  notices: {
    mutate: ['src/notices/*.ts'],
    tests: ['tests/notices/!(tell-from-firestore).test.ts'],
  },
  events: {
    mutate: ['src/events/*.ts'],
    tests: ['tests/events/*.test.ts'],
  },
  'sign-up': {
    mutate: ['src/sign-up/**/*.ts'],
    tests: ['tests/sign-up/**/*.test.ts', 'tests/server/confirm.test.ts'],
  },
  embed: {
    mutate: ['src/embed/*.ts', '!src/embed/enhance.ts'],
    tests: ['tests/embed/*.test.ts', 'tests/cli/commands/embed.test.ts'],
  },
  terminal: {
    mutate: ['src/terminal/*.ts'],
    tests: ['tests/{terminal,tables}/*.test.ts'],
  },
  announcement: {
    mutate: ['src/announcement/**/*.ts', '!src/announcement/{waves,run,invitations}/*.ts'],
    tests: ['tests/announcement/**/!(firestore-announce).test.ts'],
  },
  waves: {
    mutate: ['src/announcement/waves/*.ts'],
    tests: ['tests/announcement/waves/*.test.ts'],
  },
  tables: {
    mutate: ['src/tables/*.ts'],
    tests: ['tests/tables/*.test.ts', 'tests/cli/commands/{list-commands,suppress}.test.ts'],
  },
  'back-up': {
    mutate: ['src/upkeep/back-up/*.ts'],
    tests: ['tests/upkeep/back-up/*.test.ts'],
  },
  upkeep: {
    mutate: [
      ...['src/upkeep/*.ts', 'src/upkeep/{check-site,install,update}/*.ts'],
      '!src/upkeep/update/{list-step,tied-server}.ts',
    ],
    tests: [
      // The other one of this folder builds a page, and asks emulators: minutes for each mistake.
      'tests/upkeep/check-site/calls.test.ts',
      'tests/upkeep/install/!(as-service).test.ts',
      'tests/upkeep/update/{carry-out,command,first-half,folders,in-the-way}.test.ts',
      'tests/upkeep/update/{nothing-runs,rehearse-version,service,signed,state}.test.ts',
      'tests/upkeep/update/{small-parts,upstream,waves}.test.ts',
    ],
  },
  desk: {
    mutate: [
      ...['src/desk/{contract,server}/**/*.ts', '!src/desk/server/main.ts'],
      'src/desk/page/today/points.ts',
    ],
    tests: ['tests/desk/server/**/!(sending).test.ts', 'tests/desk/page/*.test.ts'],
  },
  'desk-access': {
    mutate: ['src/desk/access/*.ts', 'src/server/desk*.ts'],
    tests: [
      'tests/server/desk/{gate,parts}.test.ts',
      'tests/desk/server/{app,passkeys}.test.ts',
      'tests/store/store.test.ts',
    ],
  },
  server: {
    // What the gate of the desk does is in desk-access.
    mutate: ['src/{server,config}/**/*.ts', '!src/server/{main,is-ready,desk-*}.ts'],
    tests: ['tests/server/!(process|signals|firestore).test.ts', 'tests/config/*.test.ts'],
  },
  cli: {
    mutate: ['src/cli/commands/*.ts'],
    tests: [
      'tests/cli/commands/!(*firestore).test.ts',
      'tests/cli/{announce,ask,desk,invitations}/!(dead-run).test.ts',
      'tests/cli/{commands-document,help}.test.ts',
      'tests/tables/{export-for,import-exports}.test.ts',
      'tests/upkeep/back-up/{encrypted,keep-copies,rehearse,restore-keys}.test.ts',
      'tests/upkeep/install/!(as-service).test.ts',
    ],
  },
}

/** What no room changes, and why. */
export const leftOut: Readonly<Record<string, readonly string[]>> = {
  'Stryker writes its expression anew in a way that no engine takes.': ['src/shared/plain-line.ts'],
  'It runs in a browser, where tests/e2e looks at it.': [
    'src/{web,desk/page}/**/*.tsx',
    'src/desk/page/**/*.ts',
    'src/web/{use-*,email-rule,other-languages,take-over,fetch-after,foot-of-splash,offer-sheet,page-gate}.ts',
    'src/client/{app-check,connect,silent-indexed-db}.ts',
    'src/embed/enhance.ts',
  ],
  'It is tested as a program of its own, which runs the code as it is.': [
    ...['src/*/main.ts', 'src/{desk/server/main,server/is-ready}.ts', 'src/operator/*.ts'],
    ...['src/product/{product,command-line}.ts', 'src/upkeep/update/{list-step,tied-server}.ts'],
    ...['src/cli/*.ts', 'src/cli/!(commands)/*.ts', 'src/announcement/{run,invitations}/*.ts'],
  ],
  'It is a language: words, and nothing that decides.': ['src/words/{??,??-??}.ts'],
  'It runs before anything is installed.': ['src/**/*.mjs'],
}
