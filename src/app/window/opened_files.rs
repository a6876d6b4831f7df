//! Receives the files that Finder opens with the running program, on macOS. Finder passes them as an event, not as arguments.
//!
//! AppKit passes such files to the delegate of the application, if it has a method for them. winit registers a delegate without that
//! method, and panics if there is another delegate, although its documentation allows one (issue 4015 of winit). So the method is added to
//! the class of winit's delegate. This has never run on macOS.
#![allow(unsafe_code)] // adding a method to a class of Objective-C needs it

use std::sync::OnceLock;

use objc2::ffi::class_addMethod;
use objc2::runtime::{AnyObject, Imp, Sel};
use objc2::{MainThreadMarker, sel};
use objc2_app_kit::NSApplication;
use objc2_foundation::{NSArray, NSDictionary, NSString, NSURL, NSUserDefaults, ns_string};
use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::AppEvent;

/// The event loop that receives the files. A method that is added to a class has no place for it.
static EVENT_LOOP: OnceLock<EventLoopProxy<AppEvent>> = OnceLock::new();

/// A method of the delegate with two arguments that returns nothing.
type OpenUrls = extern "C-unwind" fn(&AnyObject, Sel, &NSApplication, &NSArray<NSURL>);

/// The method `application:openURLs:` of `NSApplicationDelegate`.
extern "C-unwind" fn open_urls(_: &AnyObject, _: Sel, _: &NSApplication, urls: &NSArray<NSURL>) {
    let files: Vec<_> = urls.to_vec().iter().filter_map(|url| url.to_file_path()).collect();
    if let Some(event_loop) = EVENT_LOOP.get() {
        AppEvent::FilesOpened(files).send(event_loop);
    }
}

/// Makes AppKit report opened files as events. Must run on the main thread, once the event loop exists; otherwise it does nothing.
pub fn receive(event_loop: EventLoopProxy<AppEvent>) {
    let Some(main_thread) = MainThreadMarker::new() else { return };
    let application = NSApplication::sharedApplication(main_thread);
    let Some(delegate) = application.delegate() else { return };
    if EVENT_LOOP.set(event_loop).is_err() {
        return;
    }
    // Without this setting, AppKit also reports arguments of the command line as opened files.
    let settings =
        NSDictionary::<NSString, AnyObject>::from_slices(&[ns_string!("NSTreatUnknownArgumentsAsOpen")], &[ns_string!("NO").as_ref()]);
    let object: &AnyObject = (*delegate).as_ref();
    let class = std::ptr::from_ref(object.class()).cast_mut();
    // SAFETY: a setting may be a string. `open_urls` has the arguments and the result that the protocol declares and that the encoding
    // "v@:@@" names. The runtime locks the class while it changes it, and does nothing if the class has the method already.
    let is_added = unsafe {
        NSUserDefaults::standardUserDefaults().registerDefaults(&settings);
        let method = std::mem::transmute::<OpenUrls, Imp>(open_urls);
        class_addMethod(class, sel!(application:openURLs:), method, c"v@:@@".as_ptr()).as_bool()
    };
    if !is_added {
        log::warn!("files that Finder opens are not received: the delegate has a method for them");
    }
    // AppKit may remember which methods a delegate had when it was set. winit keeps the delegate alive.
    application.setDelegate(None);
    application.setDelegate(Some(&delegate));
}
