/** What a browser will make of a picture, read from its head. */
export interface PictureHead {
  /** In pixels, as it is shown. */
  readonly width: number
  readonly height: number
  /** Whether it is several pictures, one after the other. */
  readonly moves?: boolean
  /** Whether it says where it was taken. */
  readonly hasPlace?: boolean
}

/**
 * Reads how large an AVIF, WebP or JPEG is, by its contents, whatever its name says.
 *
 * @param file may be anything. @returns nothing for what is none of the three, or has no size.
 */
export function pictureHead(file: Buffer): PictureHead | undefined {
  try {
    const head = readAvif(file) ?? readWebp(file) ?? readJpeg(file)
    return head && head.width > 0 && head.height > 0 ? head : undefined
  } catch (cause) {
    // It ends too early.
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}

/** A part of an AVIF, without its own head. */
interface Box {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** The boxes in a part of a file of ISO/IEC 14496-12, which AVIF is. */
function boxesIn(file: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = []
  for (let at = start; at + 8 <= end; ) {
    const size = file.readUInt32BE(at)
    // 0 is to the end, 1 a length of 64 bits, which no picture needs before its pixels.
    const boxEnd = size === 0 ? end : at + size
    if ((size > 0 && size < 8) || boxEnd > end) break
    boxes.push({ type: file.toString('latin1', at + 4, at + 8), start: at + 8, end: boxEnd })
    at = boxEnd
  }
  return boxes
}

function readAvif(file: Buffer): PictureHead | undefined {
  const [first, ...boxes] = boxesIn(file, 0, file.length)
  if (first?.type !== 'ftyp') return undefined
  const brands: readonly string[] =
    file.toString('latin1', first.start, first.end).match(/.{4}/gs) ?? []
  if (!brands.includes('avif') && !brands.includes('avis')) return undefined
  const inside = (from: readonly Box[], type: string, skip = 0) => {
    const box = from.find((one) => one.type === type)
    return box ? boxesIn(file, box.start + skip, box.end) : []
  }
  // A full box begins with its version and flags.
  const all = inside(inside(inside(boxes, 'meta', 4), 'iprp'), 'ipco')
  const sizes = all
    .filter(({ type }) => type === 'ispe')
    .map(({ start }) => [file.readUInt32BE(start + 4), file.readUInt32BE(start + 8)] as const)
  // Its tiles, its mask and its preview are no larger than the picture.
  const [width, height] = sizes.toSorted(([one], [other]) => other - one)[0] ?? [0, 0]
  const isOnItsSide = all.some(
    ({ type, start }) => type === 'irot' && (file.readUInt8(start) & 1) === 1,
  )
  const moves = brands.includes('avis')
  return isOnItsSide ? { width: height, height: width, moves } : { width, height, moves }
}

/** By its first chunk (RFC 9649). */
function readWebp(file: Buffer): PictureHead | undefined {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP')
    return undefined
  const chunk = file.toString('latin1', 12, 16)
  if (chunk === 'VP8 ')
    return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff }
  if (chunk === 'VP8L') {
    const bits = file.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (chunk !== 'VP8X') return undefined
  const moves = (file.readUInt8(20) & 2) === 2
  return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1, moves }
}

function readJpeg(file: Buffer): PictureHead | undefined {
  if (file.readUInt16BE(0) !== 0xffd8) return undefined
  let notes: ReturnType<typeof readExif> = {}
  for (let at = 2; file.readUInt8(at) === 0xff; ) {
    const marker = file.readUInt8(at + 1)
    // Filling before a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    // The picture itself, or its end, before a frame that says its size.
    if (marker === 0xda || marker === 0xd9) return undefined
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      const [height, width] = [file.readUInt16BE(at + 5), file.readUInt16BE(at + 7)]
      const { isOnItsSide, hasPlace = false } = notes
      return isOnItsSide ? { width: height, height: width, hasPlace } : { width, height, hasPlace }
    }
    const length = file.readUInt16BE(at + 2)
    if (marker === 0xe1 && file.toString('latin1', at + 4, at + 8) === 'Exif')
      notes = readExif(file.subarray(at + 10, at + 2 + length))
    at += 2 + length
  }
  return undefined
}

/** What a camera notes that matters here: browsers turn a picture by it. */
function readExif(notes: Buffer): { isOnItsSide?: boolean; hasPlace?: boolean } {
  const isLittle = notes.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? notes.readUInt16LE(at) : notes.readUInt16BE(at))
  const start = isLittle ? notes.readUInt32LE(4) : notes.readUInt32BE(4)
  const tags = Array.from({ length: short(start) }, (_, i) => start + 2 + 12 * i)
  const orientation = tags.find((at) => short(at) === 0x0112)
  return {
    isOnItsSide: orientation !== undefined && short(orientation + 8) >= 5,
    hasPlace: tags.some((at) => short(at) === 0x8825),
  }
}
