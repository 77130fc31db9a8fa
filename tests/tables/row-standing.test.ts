import { expect, it } from 'vitest'
import { saidIn } from '../../src/tables/row-standing.ts'

const said = (cell: unknown) => saidIn(cell, {})?.says ?? 'unknown'

it('a cell says yes or no as spreadsheets and databases write it, in the languages of the page', () => {
  const cells: Readonly<Record<string, readonly unknown[]>> = {
    yes: [
      ...'true, TRUE, y, t, 1, 1.0, 1,0, x, ✓, checked, 2026-10-01 09:00:00, WAHR'.split(', '),
      ...'Ja, VRAI, oui, VERDADERO, sí, VERO, sì, VERDADEIRO, sim, .T., はい, 真'.split(', '),
      ...'نعم, صحيح, 1 Oct 2026, 01/10/2026'.split(', '),
      ...['y ', true, 1],
    ],
    no: [
      ...'false, n, 0, 0.0, 0,0, ☐, FALSCH, nein, FAUX, non, FALSO, .F., não, いいえ'.split(', '),
      ...'偽, لا, خطأ'.split(', '),
      ...[false, 0],
    ],
    nothing: [
      ...'-, –, —, NULL, n/a, #N/A, None, nan, 0000-00-00, 0000-00-00 00:00:00'.split(', '),
      ...'0000-00-00T00:00:00.000Z, 1970-01-01, 1970-01-01T01:00:00Z, 0001-01-01'.split(', '),
      ...'n.a., 9999-12-31, 1899-12-30'.split(', '),
      ...['', ' ', null, undefined, String.raw`\N`, '\u200B', "''", [], {}],
    ],
    unsubscribed: [
      ...'unsubscribed, Opted Out, abgemeldet, désabonnée, baja, 配信停止, ملغي'.split(', '),
    ],
    unconfirmed: ['pending', 'NEVER_SUBSCRIBED', 'unbestätigt', 'en attente', '仮登録'],
    unknown: ['.X.', 'maybe', 'vielleicht', '2', '12', 'Ada', 'x'.repeat(1000), ['x'], { a: 1 }],
  }
  for (const [expected, all] of Object.entries(cells))
    for (const cell of all) expect(said(cell), JSON.stringify(cell)).toBe(expected)
})
