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

/**
 * It says how large each of its pictures is (ISO/IEC 23008-12, 6.5.3), of which a thumbnail, a tile or a
 * mask is no larger than the whole.
 */
function readAvif(file: Buffer): PictureHead | undefined {
  if (file.toString('latin1', 4, 8) !== 'ftyp') return undefined
  const brands: readonly string[] =
    file.toString('latin1', 8, file.readUInt32BE(0)).match(/.{4}/gs) ?? []
  if (!brands.includes('avif') && !brands.includes('avis')) return undefined
  const start = file.indexOf('meta')
  const meta = file.subarray(start, start - 4 + file.readUInt32BE(start - 4))
  let [width, height] = [0, 0]
  for (let at = meta.indexOf('ispe'); at >= 0; at = meta.indexOf('ispe', at + 4)) {
    const [wide, high] = [meta.readUInt32BE(at + 8), meta.readUInt32BE(at + 12)]
    if (wide * high > width * height) [width, height] = [wide, high]
  }
  const turn = meta.indexOf('irot')
  const isOnItsSide = turn >= 0 && (meta.readUInt8(turn + 4) & 1) === 1
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
