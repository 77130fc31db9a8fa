import { describe, expect, it } from 'vitest'
import { pictureHead } from '../../scripts/build/picture-head.ts'

const u16 = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.of(value >> 8, value & 255)))
const u32 = (...values: number[]) =>
  u16(...values.flatMap((value) => [value >>> 16, value & 65535]))
const text = (words: string) => Buffer.from(words, 'latin1')

/** A part of an AVIF. */
function box(type: string, ...parts: Buffer[]): Buffer {
  const inside = Buffer.concat(parts)
  return Buffer.concat([u32(inside.length + 8), text(type), inside])
}

/** With a thumbnail before the picture, as some cameras write it. @param turned a quarter. */
function avif({ brands = 'avif', turned = false } = {}): Buffer {
  const size = (width: number, height: number) => box('ispe', u32(0, width, height))
  const turn = turned ? [box('irot', Buffer.of(1))] : []
  const properties = box('ipco', size(160, 120), size(1600, 1200), ...turn)
  const meta = box('meta', u32(0), box('iprp', properties))
  return Buffer.concat([box('ftyp', text(brands), u32(0), text('mif1')), meta, box('mdat')])
}

const webp = (chunk: string, inside: Buffer) =>
  Buffer.concat([text('RIFF\0\0\0\0WEBP'), text(chunk), u32(0), inside])

function jpeg(...segments: Buffer[]): Buffer {
  const frame = Buffer.concat([u16(0xffc2, 17), Buffer.of(8), u16(1200, 1600), Buffer.alloc(10)])
  return Buffer.concat([u16(0xffd8), ...segments, frame, u16(0xffda)])
}

/** A camera's notes, with tags of one number each. */
function exif(...tags: [tag: number, value: number][]): Buffer {
  const entries = tags.map(([tag, value]) => u16(tag, 3, 0, 1, value, 0))
  const notes = [text('Exif\0\0MM'), u16(42), u32(8), u16(tags.length), ...entries, u32(0)]
  const inside = Buffer.concat(notes)
  return Buffer.concat([u16(0xffe1, inside.length + 2), inside])
}

describe('the size of a picture is read from its head:', () => {
  it.each([
    ['an AVIF', avif(), { width: 1600, height: 1200, moves: false }],
    ['one that is shown turned', avif({ turned: true }), { width: 1200, height: 1600 }],
    ['one that moves', avif({ brands: 'avis' }), { moves: true }],
    [
      'a WebP',
      webp('VP8 ', Buffer.from('000000' + '9d012a' + '4006' + 'b004', 'hex')),
      { width: 1600, height: 1200 },
    ],
    [
      'a WebP without loss',
      webp('VP8L', Buffer.from('2f' + '3fc62b01', 'hex')),
      { width: 1600, height: 1200 },
    ],
    [
      'a WebP with more in it',
      webp('VP8X', Buffer.from('00000000' + '3f0600' + 'af0400', 'hex')),
      { width: 1600, height: 1200, moves: false },
    ],
    [
      'a WebP that moves',
      webp('VP8X', Buffer.from('020000003f0600af0400', 'hex')),
      { moves: true },
    ],
    ['a JPEG', jpeg(), { width: 1600, height: 1200, hasPlace: false }],
    ['one of a camera held upright', jpeg(exif([0x112, 6])), { width: 1200, height: 1600 }],
    ['one that says where it was taken', jpeg(exif([0x112, 1], [0x8825, 1])), { hasPlace: true }],
    [
      'one that is filled up before a part',
      jpeg(Buffer.concat([Buffer.of(0xff, 0xff), u16(0xfffe, 4, 0)])),
      { width: 1600, height: 1200 },
    ],
  ])('%s', (_what, file, head) => expect(pictureHead(file)).toMatchObject(head))

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a GIF', text('GIF89a\x10\x00\x10\x00')],
    ['an SVG', text('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ['a HEIC', avif({ brands: 'heic' })],
    ['a picture without an extent', webp('VP8 ', Buffer.alloc(10))],
    ['a JPEG without a frame', Buffer.from('ffd8ffda0000', 'hex')],
    ['a WebP of another kind', webp('ICCP', Buffer.alloc(20))],
  ])('%s has none', (_what, file) => expect(pictureHead(file)).toBeUndefined())

  it('and a file that ends anywhere is no fault', () => {
    for (const file of [avif(), webp('VP8X', Buffer.alloc(10, 1)), jpeg(exif([0x112, 6]))])
      for (let end = 0; end < file.length; end += 1)
        expect(() => pictureHead(file.subarray(0, end))).not.toThrow()
    // A box that says that it is shorter than its own head.
    expect(pictureHead(Buffer.concat([u32(4), text('ftypavif')]))).toBeUndefined()
  })
})
