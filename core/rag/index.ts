/** Documents for retrieval: masked chunks in, values back in the answer. */
export { type ChunkOptions, chunkSpans, type Span } from './chunk.ts';
export { type PieceDetector, type RagChunk, type RagIngestOptions, type RagIngestResult, ragIngest } from './ingest.ts';
export { type RagResolveResult, ragResolve } from './resolve.ts';
