//! Reads numbers from bytes one after another.

/// A place in the bytes of a layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'b> {
    pub bytes: &'b [u8],
    pub at: usize,
}

impl<'b> Cursor<'b> {
    /// The place at an offset of the file.
    pub fn new(bytes: &'b [u8], at: u64) -> Option<Self> {
        let at = usize::try_from(at).ok().filter(|&at| at <= bytes.len())?;
        Some(Self { bytes, at })
    }

    pub fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]: [u8; 1]| byte)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn f64(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    /// A number of bytes or elements, at most `most`.
    pub fn count(&mut self, most: usize) -> Option<usize> {
        usize::try_from(self.u64()?).ok().filter(|&count| count <= most)
    }

    /// Follows an offset that counts from itself.
    pub fn jump(&mut self) -> Option<()> {
        let from = self.at;
        let offset = i64::from_le_bytes(self.array()?);
        let to = i64::try_from(from).ok()?.checked_add(offset)?;
        self.at = usize::try_from(to).ok().filter(|&to| to <= self.bytes.len())?;
        Some(())
    }
}
