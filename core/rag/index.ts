/** Documents for retrieval: masks chunks, and restores values in responses. */
export { type PieceDetector, type RagChunk, type RagIngestResult, ragIngest } from './ingest.ts';
export { ragResolve } from './resolve.ts';
