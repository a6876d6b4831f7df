//! Receives the files that Finder opens with the running program, on macOS. Finder passes them as an event, not as arguments.
//!
//! AppKit passes such files to the application's delegate, which winit does not set.
#![allow(unsafe_code)] // defining a class of Objective-C needs it

use objc2::rc::Retained;
use objc2::runtime::ProtocolObject;
use objc2::{DefinedClass, MainThreadMarker, MainThreadOnly, define_class, msg_send};
use objc2_app_kit::{NSApplication, NSApplicationDelegate};
use objc2_foundation::{NSArray, NSObject, NSObjectProtocol, NSURL};
use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::AppEvent;

define_class!(
    // SAFETY: NSObject has no requirements for subclasses, and the class does not implement Drop.
    #[unsafe(super(NSObject))]
    #[thread_kind = MainThreadOnly]
    #[name = "SinewApplicationDelegate"]
    #[ivars = EventLoopProxy<AppEvent>]
    pub struct ApplicationDelegate;

    // SAFETY: NSObjectProtocol has no requirements.
    unsafe impl NSObjectProtocol for ApplicationDelegate {}

    // SAFETY: the method has the types that the protocol declares.
    unsafe impl NSApplicationDelegate for ApplicationDelegate {
        #[unsafe(method(application:openURLs:))]
        fn open_urls(&self, _: &NSApplication, urls: &NSArray<NSURL>) {
            let files: Vec<_> = urls.to_vec().iter().filter_map(|url| url.to_file_path()).collect();
            // The event loop is gone once the window is closed.
            let _ = self.ivars().send_event(AppEvent::FilesOpened(files));
        }
    }
);

/// Makes AppKit report opened files as events, for as long as the returned value exists. Must run on the main thread, once the event loop
/// exists; returns `None` on other threads.
pub fn receive(proxy: EventLoopProxy<AppEvent>) -> Option<Retained<ApplicationDelegate>> {
    let main_thread = MainThreadMarker::new()?;
    let allocated = ApplicationDelegate::alloc(main_thread).set_ivars(proxy);
    // SAFETY: `init` of NSObject has this signature.
    let delegate: Retained<ApplicationDelegate> = unsafe { msg_send![super(allocated), init] };
    NSApplication::sharedApplication(main_thread).setDelegate(Some(ProtocolObject::from_ref(&*delegate)));
    Some(delegate)
}
