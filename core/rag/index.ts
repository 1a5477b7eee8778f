/** Documents for retrieval: masked chunks in, values back in the answer. */
export { type PieceDetector, type RagChunk, type RagIngestResult, ragIngest } from './ingest.ts';
export { ragResolve } from './resolve.ts';
